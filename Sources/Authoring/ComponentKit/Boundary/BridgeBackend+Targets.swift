import SystemSupport

// A component finds targets by asking its host which classes and selectors there are, so any host will do, and the
// boundary has calls only.
extension BridgeBackend {
    func perform(
        _ target: borrowing String, _ action: borrowing String, _ payload: borrowing Payload, _ mode: CallMode
    ) -> BegunCall {
        let (target, action) = (copy target, copy action)
        guard let className = availableClass(of: target) else {
            return performUnavailable(target, action, payload, mode)
        }
        if let (selector, kind) = availableSelector(of: action, in: className) {
            return begin(className, selector, kind, payload, mode)
        }
        if let (selector, kind) = availableSelector(of: TargetNames.notFound, in: className) {
            return begin(
                className, selector, kind, requestPayload(target: target, action: action, params: payload), mode)
        }
        return passOn(target, action, payload, mode) ?? begin(className, action, .object, payload, mode)
    }

    func performAndWait(
        _ target: borrowing String, _ action: borrowing String, _ payload: borrowing Payload
    ) throws(LinkError) -> Payload {
        try perform(target, action, payload, .inPlace(callerSleeps: true)).wait()
    }

    func check(_ target: String, _ action: String?) -> Bool {
        guard let className = availableClass(of: target) else { return false }
        guard let action else { return true }
        return availableSelector(of: action, in: className) != nil
    }

    /// Performs the action of a target none of whose classes is available. One of them may belong to a component that
    /// has failed or been stopped, and the call to it gives the reason.
    private func performUnavailable(
        _ target: String, _ action: String, _ payload: borrowing Payload, _ mode: CallMode
    ) -> BegunCall {
        for className in TargetNames.classes(of: target) {
            let begun = begin(className, action, .object, payload, mode)
            if case .ended(.failure(let error)) = begun, error.code == .classNotFound,
                error.className.isExactly(className)
            {
                continue
            }
            return begun
        }
        return passOn(target, action, payload, mode)
            ?? .ended(.failure(LinkError(.classNotFound, className: target, selector: action)))
    }

    /// Passes a request on to the target for all requests that no other target answers; nil if there is none.
    private func passOn(
        _ target: String, _ action: String, _ payload: borrowing Payload, _ mode: CallMode
    ) -> BegunCall? {
        guard let className = availableClass(of: TargetNames.fallback.target),
            let (selector, kind) = availableSelector(of: TargetNames.fallback.action, in: className)
        else { return nil }
        return begin(className, selector, kind, requestPayload(target: target, action: action, params: payload), mode)
    }

    private func availableClass(of target: String) -> String? {
        TargetNames.classes(of: target).first { isAvailable($0, nil, .object) }
    }

    private func availableSelector(of action: String, in className: String) -> (String, SelectorKind)? {
        for kind in [SelectorKind.object, .class] {
            for selector in TargetNames.selectors(of: action, in: className)
            where !selector.isEmpty && isAvailable(className, selector, kind) {
                return (selector, kind)
            }
        }
        return nil
    }
}
