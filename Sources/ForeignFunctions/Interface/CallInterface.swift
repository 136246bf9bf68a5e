import CFFI
import ComponentKit

/// The types of a function, for calls of a variadic one.
struct InterfaceSignature: Sendable {
    let result: InterfaceType
    let arguments: [InterfaceType]
}

/// A signature that libffi has prepared: made once, called from any thread.
@safe
// Unchecked: prepared in init and never written again.
final class CallInterface: @unchecked Sendable {
    let cif: UnsafeMutablePointer<ffi_cif>
    let argumentCount: Int
    /// Bytes for the result: what libffi widens small integers to, and whole eightbytes of structs.
    let resultSize: Int
    private let types: UnsafeMutablePointer<UnsafeMutablePointer<ffi_type>?>
    /// Kept, since the signature points to them.
    private let kept: [InterfaceType]

    /// - Parameters:
    ///   - result: `void` too.
    ///   - arguments: of a variadic function those of one call.
    ///   - fixedCount: how many parameters a variadic function has before the dots; nil for others.
    /// - Returns: nil when libffi refuses.
    init?(result: InterfaceType, arguments: [InterfaceType], fixedCount: Int? = nil) {
        kept = [result] + arguments
        argumentCount = arguments.count
        resultSize = unsafe max((result.pointer.pointee.size + 15) & ~15, 16)
        unsafe cif = .allocate(capacity: 1)
        unsafe cif.initialize(to: ffi_cif())
        unsafe types = .allocate(capacity: max(arguments.count, 1))
        for (index, argument) in arguments.enumerated() { unsafe (types + index).initialize(to: argument.pointer) }
        let status = unsafe hslink_ffi_prepare(
            cif, UInt32(fixedCount ?? 0), UInt32(arguments.count), fixedCount == nil ? 0 : 1, result.pointer, types)
        guard status == 0 else { return nil }
    }

    deinit {
        unsafe cif.deallocate()
        unsafe types.deallocate()
    }

    /// - Parameters:
    ///   - function: of this signature: nothing can check that.
    ///   - result: room for ``resultSize`` bytes.
    ///   - arguments: a list of the call's own, which libffi may change.
    @inline(__always)
    func call(
        _ function: UnsafeRawPointer, result: UnsafeMutableRawPointer,
        arguments: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) {
        unsafe hslink_ffi_call(cif, function, result, arguments)
    }

    /// - Returns: `errno` after the call, 0 before it.
    func callForErrno(
        _ function: UnsafeRawPointer, result: UnsafeMutableRawPointer,
        arguments: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> Int32 {
        unsafe hslink_ffi_call_errno(cif, function, result, arguments)
    }
}

/// The prepared signatures of a library, one for each that occurs.
final class CallInterfaces: Sendable {
    private struct Signature: Hashable {
        let result: InterfaceType
        let arguments: [InterfaceType]
        let fixedCount: Int?
    }

    private let prepared = Lock<[Signature: CallInterface]>([:])

    /// Far more than a library has; each list of types that a variadic function is called with is one.
    private static let limit = 4096

    /// - Returns: nil when libffi refuses.
    func interface(result: InterfaceType, arguments: [InterfaceType], fixedCount: Int? = nil) -> CallInterface? {
        let signature = Signature(result: result, arguments: arguments, fixedCount: fixedCount)
        return prepared.withLock { prepared in
            if let known = prepared[signature] { return known }
            guard let made = CallInterface(result: result, arguments: arguments, fixedCount: fixedCount) else {
                return nil
            }
            // What is beyond is made again for each call.
            if prepared.count < CallInterfaces.limit { prepared[signature] = made }
            return made
        }
    }
}
