import CHSLink
import ComponentKit
import Glibc

/// A function of a library, called from payloads.
@safe
// Unchecked: its pointer leads to code, which stays.
final class ForeignFunction: @unchecked Sendable {
    let plan: FunctionPlan
    let library: ForeignLibrary
    private let address: UnsafeRawPointer?
    /// Why there is no address.
    private let missing: LinkError?
    private let hasCallbacks: Bool
    /// For functions that need nothing else.
    private let direct: DirectCall?

    /// What arguments are copied to before memory is allocated for them.
    private static let scratchSize = 256
    /// Of "..." in one call.
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
                    message: "the library does not have \(release), which releases what this function returns")
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
    /// - Parameter payload: a map with the arguments by their names, borrowed; null for no arguments.
    /// - Returns: the result, or a map with what came out and `return`.
    /// - Throws: what in the payload does not fit, that the library does not have the function, or what the function's
    ///   error rule makes of its result.
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
        switch mode {
        case .callback: true
        case .plain(let form), .value(let form, _): form.hasCallback
        default: false
        }
    }
}

extension ValueForm {
    fileprivate var hasCallback: Bool {
        switch self {
        case .callback: true
        case .record(let record): record.fields.contains { $0.form.hasCallback }
        case .array(let element, _, _): element.hasCallback
        default: false
        }
    }
}
