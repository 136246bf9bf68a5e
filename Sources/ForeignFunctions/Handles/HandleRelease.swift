import CFFI
import Glibc

/// What is left of a handle of which the last reference has gone: enough to release it, on whichever thread.
///
/// It has what C may still use meanwhile: the memory of a struct, closures, and the handle that it keeps.
@safe
// Unchecked: nothing of it changes, and one thread runs it, once.
final class HandleRelease: @unchecked Sendable {
    private let pointer: UnsafeMutableRawPointer
    private let function: UnsafeRawPointer?
    private let parent: ForeignHandle?
    private let memory: UnsafeMutableRawPointer?
    private let callbacks: [ForeignClosure]

    /// - Parameters:
    ///   - function: takes the pointer; nil where nobody does.
    ///   - parent: the handle that it keeps until then.
    ///   - memory: freed afterwards.
    ///   - callbacks: stay until then.
    init(
        _ pointer: UnsafeMutableRawPointer, _ function: UnsafeRawPointer?, parent: ForeignHandle?,
        memory: UnsafeMutableRawPointer?, callbacks: [ForeignClosure]
    ) {
        unsafe self.pointer = unsafe pointer
        unsafe self.function = unsafe function
        self.parent = parent
        unsafe self.memory = unsafe memory
        self.callbacks = callbacks
    }

    deinit { unsafe free(memory) }

    /// Inside of its family.
    func run() {
        unsafe HandleRelease.give(pointer, to: function, parent)
        parent?.isKeptNoLonger()
    }

    /// What it keeps is in use meanwhile: C may call back.
    static func give(_ pointer: UnsafeMutableRawPointer, to function: UnsafeRawPointer?, _ parent: ForeignHandle?) {
        guard let function = unsafe function else { return }
        parent?.beginUse()
        defer { parent?.endUse() }
        unsafe hslink_ffi_release(function, pointer)
    }
}
