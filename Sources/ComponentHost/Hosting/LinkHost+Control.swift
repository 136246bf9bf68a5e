import CHSLink
package import ComponentKit
import Synchronization

extension LinkHost {
    /// Carries out a call for a thread that must not block, as an event loop: in place where nothing in it can block,
    /// which are quick methods of classes in memory whose instance is made; else on a thread of the host.
    ///
    /// - Parameters:
    ///   - request: what to call.
    ///   - completion: is called once: before this returns where the method replied at once or the call did not begin,
    ///     else on the thread that ends the call.
    /// - Returns: what ``cancel(_:)`` takes; nil when the call has ended already.
    package func startWithoutBlocking(
        _ request: borrowing CallRequest, _ completion: CallCompletion
    ) -> CallIdentifier? {
        if request.deadline == nil, let entry = unsafe core.findClass(request.className) {
            let loaded = unsafe entry._withUnsafeGuaranteedRef { unsafe $0.loadedClass }
            let method = unsafe loaded?._withUnsafeGuaranteedRef { unsafe $0.find(request.selector, request.kind) }
            if let method = unsafe method, unsafe method.pointee.isQuick {
                return unsafe request.payload.withUnsafeValue { value in
                    guard unsafe method.pointee.hasInstance else {
                        return unsafe detach(request, HostBoundMethod(core, method), completion)
                    }
                    return unsafe core.run(
                        method, value, caller: hslink_string(), deadline: 0, flags: 0, completion)
                }
            }
        }
        var detached = CallRequest(request.className, request.selector, request.kind, request.payload)
        detached.deadline = request.deadline
        detached.isDetached = true
        return core.start(detached, completion)
    }

    /// A quick method whose instance is not made yet: making it is the author's code, which may take its time.
    private func detach(
        _ request: borrowing CallRequest, _ method: HostBoundMethod, _ completion: CallCompletion
    ) -> CallIdentifier? {
        let unit = unsafe method.entry.pointee.linkClass.takeUnretainedValue().unit
        return core.detach(
            unit, request.payload, nil, from: nil, names: (request.className, request.selector), completion
        ) { _ in unsafe .method(method.entry) }
    }

    /// Ends a call as cancelled; no effect once it has ended.
    package func cancel(_ call: CallIdentifier) { core.cancel(call) }
}

extension MethodEntry {
    /// Whether a call needs no instance, or finds one.
    fileprivate var hasInstance: Bool {
        switch instance {
        case .none: true
        case .shared:
            unsafe linkClass._withUnsafeGuaranteedRef { $0.sharedInstance.load(ordering: .acquiring) } != 0
        case .perCall, .perConsumer: false
        }
    }
}
