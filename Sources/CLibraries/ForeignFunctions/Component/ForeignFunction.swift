import CHSLink
import ComponentKit
import Glibc

/// A function of a library that is called with payloads.
@safe
// Unchecked: its pointer leads to code, which is never unmapped.
final class ForeignFunction: @unchecked Sendable {
    let plan: FunctionPlan
    let library: ForeignLibrary
    private let address: UnsafeRawPointer?
    /// The reason if there is no address.
    private let missing: LinkError?
    private let hasCallbacks: Bool
    /// The fast path, if the function supports it.
    private let direct: DirectCall?

    /// The bytes of stack for copies of arguments. Larger copies are allocated on the heap.
    private static let scratchSize = 256
    /// The maximum number of arguments for "..." in one call.
    static let maximumVariadicCount = 64

    init(_ plan: FunctionPlan, _ library: ForeignLibrary) {
        self.plan = plan
        self.library = library
        hasCallbacks = library.hasKeptCallbacks || plan.arguments.contains(where: \.hasCallback)
        direct = hasCallbacks ? nil : DirectCall(plan)
        do throws(LinkError) {
            let found = unsafe try library.address(of: plan.symbol)
            for release in plan.releases {
                guard unsafe library.release(release) == nil else { continue }
                throw LinkError(
                    .selectorNotFound,
                    message: "the library does not have \(release), which releases the result of this function")
            }
            unsafe address = unsafe found
            missing = nil
        } catch {
            unsafe address = nil
            missing = error
        }
    }

    /// Calls the function on this thread.
    ///
    /// - Parameter payload: A borrowed map of the arguments by name; null for no arguments.
    /// - Returns: The result, or a map of the outputs with the result under `return`.
    /// - Throws: `LinkError` if the payload does not match, if the library does not have the function, if a callback
    ///   has thrown, or if the function's error rule matches the result.
    func call(_ payload: UnsafePointer<hslink_value>) throws(LinkError) -> Payload {
        guard let address = unsafe address else { throw missing ?? LinkError(.selectorNotFound) }
        if let direct, let value = unsafe direct.call(payload, address) { return value }
        return try unsafe callInFrame(payload, address)
    }

    @inline(never)
    private func callInFrame(
        _ payload: UnsafePointer<hslink_value>, _ address: UnsafeRawPointer
    ) throws(LinkError) -> Payload {
        let interface = plan.interface
        let places = interface.argumentCount + (plan.variadic == nil ? 0 : ForeignFunction.maximumVariadicCount)
        let fixedSize = plan.frameSize + interface.resultSize + (places * 8 + 15) & ~15
        let outcome = unsafe withUnsafeTemporaryAllocation(
            byteCount: fixedSize + ForeignFunction.scratchSize, alignment: 16
        ) { memory -> Result<Payload, LinkError> in
            guard let base = memory.baseAddress else { return .failure(LinkError(.methodFailed)) }
            unsafe memset(base, 0, fixedSize)
            var frame = unsafe CallFrame(
                self, payload, memory: base, scratch: base + fixedSize, scratchSize: ForeignFunction.scratchSize)
            do throws(LinkError) {
                return .success(try unsafe frame.run(address, hasCallbacks: hasCallbacks))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}

extension ArgumentPlan {
    fileprivate var hasCallback: Bool {
        if case .callback = mode { true } else { mode.writtenForm?.holdsCallbacks ?? false }
    }
}
