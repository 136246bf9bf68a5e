import CFFI
import ComponentKit

/// The declared types of a function, from which each call of a variadic function builds its own interface.
struct InterfaceSignature: Sendable {
    let result: InterfaceType
    let arguments: [InterfaceType]

    /// Whether libffi would call the function with a wrong argument.
    ///
    /// On x86_64, a struct of an integer and a floating-point number goes into a register of each kind. libffi 3.4.4
    /// copies it as a whole to its list of integer registers. If it gets the last one, the rest overwrites the first
    /// floating-point register, which another argument may have.
    var isSpoiled: Bool {
        #if arch(x86_64)
            // A result in memory takes a register for its address.
            var (integers, floats) = (result.isInMemory ? 1 : 0, 0)
            for argument in arguments {
                let eightbytes = argument.eightbytes
                let needed = (eightbytes.count { $0 == .integer }, eightbytes.count { $0 == .float })
                // What does not fit as a whole goes to the stack.
                guard integers + needed.0 <= 6, floats + needed.1 <= 8 else { continue }
                if eightbytes == [.integer, .float], integers == 5, floats > 0 { return true }
                integers += needed.0
                floats += needed.1
            }
        #endif
        return false
    }
}

/// A signature prepared for libffi. Made once, and usable from any thread.
@safe
// Unchecked: prepared in init and never written again.
final class CallInterface: @unchecked Sendable {
    let cif: UnsafeMutablePointer<ffi_cif>
    let argumentCount: Int
    /// The bytes to reserve for the result, including libffi's widening of small integers and the padding of structs.
    let resultSize: Int
    private let types: UnsafeMutablePointer<UnsafeMutablePointer<ffi_type>?>
    /// Retained because the signature points to them.
    private let kept: [InterfaceType]

    /// - Parameters:
    ///   - result: The type of the result, which may be `void`.
    ///   - arguments: The types of the arguments; for a variadic function, those of one call.
    ///   - fixedCount: The number of parameters before the "..." of a variadic function; nil for other functions.
    /// - Returns: Nil if libffi rejects the signature.
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

    /// Calls a function.
    ///
    /// - Parameters:
    ///   - function: A function with this signature, which cannot be checked.
    ///   - result: Memory for ``resultSize`` bytes.
    ///   - arguments: Pointers to the arguments, in a list that is not shared, because libffi may change it.
    @inline(__always)
    func call(
        _ function: UnsafeRawPointer, result: UnsafeMutableRawPointer,
        arguments: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) {
        unsafe hslink_ffi_call(cif, function, result, arguments)
    }

    /// Calls a function with `errno` set to 0.
    ///
    /// - Returns: The value of `errno` after the call.
    func callForErrno(
        _ function: UnsafeRawPointer, result: UnsafeMutableRawPointer,
        arguments: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> Int32 {
        unsafe hslink_ffi_call_errno(cif, function, result, arguments)
    }
}

/// A cache of the prepared signatures of a library.
final class CallInterfaces: Sendable {
    private struct Signature: Hashable {
        let result: InterfaceType
        let arguments: [InterfaceType]
        let fixedCount: Int?
    }

    private let prepared = Lock<[Signature: CallInterface]>([:])

    /// The maximum number of cached signatures. A library has far fewer, but every list of types that a variadic
    /// function is called with adds one.
    private static let limit = 4096

    /// - Returns: Nil if libffi rejects the signature.
    func interface(result: InterfaceType, arguments: [InterfaceType], fixedCount: Int? = nil) -> CallInterface? {
        let signature = Signature(result: result, arguments: arguments, fixedCount: fixedCount)
        return prepared.withLock { prepared in
            if let known = prepared[signature] { return known }
            guard let made = CallInterface(result: result, arguments: arguments, fixedCount: fixedCount) else {
                return nil
            }
            // Beyond the limit, signatures are prepared again for each call.
            if prepared.count < CallInterfaces.limit { prepared[signature] = made }
            return made
        }
    }
}
