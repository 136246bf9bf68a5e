import SystemSupport

// A component finds targets by asking its host which classes and selectors there are, so any host will do, and the
// boundary has calls only.
extension BridgeBackend {
    func perform(
        _ target: borrowing String, _ action: borrowing String, payload: borrowing Payload, mode: CallMode
    ) -> BegunCall {
        let (target, action) = (copy target, copy action)
        guard let className = availableClass(of: target) else {
            return performUnavailable(target, action, payload: payload, mode: mode)
        }
        if let (selector, kind) = availableSelector(of: action, in: className) {
            return begin(className, selector, kind: kind, payload: payload, mode: mode)
        }
        if let (selector, kind) = availableSelector(of: TargetNames.notFound, in: className) {
            let request = requestPayload(target: target, action: action, params: payload)
            return begin(className, selector, kind: kind, payload: request, mode: mode)
        }
        return passOn(target, action, payload: payload, mode: mode)
            ?? begin(className, action, kind: .object, payload: payload, mode: mode)
    }

    func performAndWait(
        _ target: borrowing String, _ action: borrowing String, payload: borrowing Payload
    ) throws(LinkError) -> Payload {
        try perform(target, action, payload: payload, mode: .inPlace(callerSleeps: true)).wait()
    }

    func check(_ target: String, _ action: String?) -> Bool {
        guard let className = availableClass(of: target) else { return false }
        guard let action else { return true }
        return availableSelector(of: action, in: className) != nil
    }

    /// Performs the action of a target none of whose classes is available. One of them may belong to a component that
    /// has failed or been stopped, and the call to it gives the reason.
    private func performUnavailable(
        _ target: String, _ action: String, payload: borrowing Payload, mode: CallMode
    ) -> BegunCall {
        for className in TargetNames.classes(of: target) {
            let begun = begin(className, action, kind: .object, payload: payload, mode: mode)
            if case .ended(.failure(let error)) = begun, error.code == .classNotFound,
                error.className.isExactly(className)
            {
                continue
            }
            return begun
        }
        return passOn(target, action, payload: payload, mode: mode)
            ?? .ended(.failure(LinkError(.classNotFound, className: target, selector: action)))
    }

    /// Passes a request on to the target for all requests that no other target answers; nil if there is none.
    private func passOn(
        _ target: String, _ action: String, payload: borrowing Payload, mode: CallMode
    ) -> BegunCall? {
        guard let className = availableClass(of: TargetNames.fallback.target),
            let (selector, kind) = availableSelector(of: TargetNames.fallback.action, in: className)
        else { return nil }
        let request = requestPayload(target: target, action: action, params: payload)
        return begin(className, selector, kind: kind, payload: request, mode: mode)
    }

    private func availableClass(of target: String) -> String? {
        TargetNames.classes(of: target).first { isAvailable($0, nil, kind: .object) }
    }

    private func availableSelector(of action: String, in className: String) -> (String, SelectorKind)? {
        for kind in [SelectorKind.object, .class] {
            for selector in TargetNames.selectors(of: action, in: className)
            where !selector.isEmpty && isAvailable(className, selector, kind: kind) {
                return (selector, kind)
            }
        }
        return nil
    }
}
