import ComponentCatalog
import ComponentKit
import ManifestRules
import SystemSupport

// Resolves targets and actions. The tables of the host already know every spelling, so a target and an action are found
// as fast as a class and a selector.
extension HostCore {
    func perform(
        _ target: borrowing String, _ action: borrowing String, payload: borrowing Payload, mode: CallMode
    ) -> BegunCall {
        var carried: Payload?
        if Carried.isInUse {
            switch Carried.ofRunningCode {
            case .success(let texts): carried = texts
            case .failure(let error): return .ended(.failure(error))
            }
        }
        if let method = unsafe findLoaded(target, action) {
            return unsafe beginMethod(method, payload, mode: mode, from: nil, carried: carried)
        }
        return performUnloaded(copy target, copy action, payload: payload, mode: mode, carried: carried)
    }

    func performAndWait(
        _ target: borrowing String, _ action: borrowing String, payload: borrowing Payload
    ) throws(LinkError) -> Payload {
        if let method = unsafe findLoaded(target, action) { return try unsafe callAndWait(method, payload) }
        return try perform(target, action, payload: payload, mode: .inPlace(callerSleeps: true)).wait()
    }

    func check(_ target: String, _ action: String?) -> Bool {
        guard let listed = registry.listed(target: target), listed.unit.mayAnswer else { return false }
        return action.map { listed.entry.declaration.method(for: $0) != nil } ?? true
    }

    /// Returns the method of an action if its component is in memory.
    @inline(__always)
    private func findLoaded(
        _ target: borrowing String, _ action: borrowing String
    ) -> UnsafePointer<MethodEntry>? {
        guard case .loaded(let linkClass) = registry.find(target: target) else { return nil }
        return unsafe linkClass._withUnsafeGuaranteedRef { unsafe $0.find(action: action) }
    }

    /// Performs an action whose component is not in memory, or that nothing answers to.
    @inline(never)
    private func performUnloaded(
        _ target: String, _ action: String, payload: borrowing Payload, mode: CallMode, carried: Payload?
    ) -> BegunCall {
        if let method = resolve(target, action) {
            return begin(method, payload, mode: mode, from: nil, carried: carried)
        }
        let listed = registry.listed(target: target)
        // A component that cannot answer is not a reason to pass the request on: the call to it fails with its reason.
        if listed?.unit.mayAnswer != false,
            let handler = resolve(target, TargetNames.notFound)
                ?? resolve(TargetNames.fallback.target, TargetNames.fallback.action)
        {
            let request = requestPayload(target: target, action: action, params: payload)
            return begin(handler, request, mode: mode, from: nil, carried: carried)
        }
        guard let listed else { return .ended(.failure(missingTarget(target, action))) }
        let call = CallTarget.named(className: listed.entry.name, selector: action, .object)
        let begun = begin(call, payload, mode: mode, from: nil, carried: carried)
        // Of a function that cannot be called, the error has the reason.
        guard !listed.unit.manifest.refuses(action) else { return begun }
        return begun.mapError { $0.suggestingAction(of: listed.entry.declaration) }
    }

    /// Returns the method that answers to an action, as manifests declare it, whether or not its component is loaded or
    /// has failed.
    func resolve(_ target: String, _ action: String) -> CallTarget? {
        guard let declaration = registry.listed(target: target)?.entry.declaration,
            let method = declaration.method(for: action)
        else { return nil }
        return .named(className: declaration.name, selector: method.name, method.kind)
    }

    private func missingTarget(_ target: String, _ action: String) -> LinkError {
        let classes = TargetNames.classes(of: target)
        if let disabled = registry.disabledClass(target, action, where: { classes.containsExactly($0) }) {
            return disabled
        }
        let targets = registry.contents.withLock { $0.ordered }.flatMap(\.classEntries)
            .map { TargetNames.target(of: $0.name) }
        let similar = SimilarName.nearest(to: target, in: targets).map { "; did you mean \($0)?" } ?? ""
        return LinkError(
            .classNotFound,
            message: "no component has a class for this target (\(classes.joined(separator: ", ")))\(similar)",
            className: target, selector: action)
    }
}

extension ClassDeclaration {
    private var actions: [(action: String, index: Int)] {
        TargetNames.actions(of: name, selectors.map { ($0.name, $0.kind) })
    }

    /// Returns the method that answers to an action.
    fileprivate func method(for action: String) -> SelectorDeclaration? {
        actions.first { $0.action == action }.map { selectors[$0.index] }
    }

    /// Returns the action that was probably meant.
    fileprivate func similarAction(to action: String) -> String? {
        // The shortest names first: callers of `Target_` classes leave out the prefix.
        SimilarName.nearest(to: action, in: actions.map(\.action).sorted { $0.utf8.count < $1.utf8.count })
    }
}

extension LinkError {
    /// Returns an error for a missing selector with a suggestion, and other errors as they are.
    fileprivate func suggestingAction(of declaration: ClassDeclaration) -> LinkError {
        guard code == .selectorNotFound, className.isExactly(declaration.name),
            let similar = declaration.similarAction(to: selector)
        else { return self }
        return LinkError(
            code, message: "\(message); did you mean \(similar)?", className: className, selector: selector,
            component: component, details: details, cause: cause)
    }
}

extension ComponentUnit {
    /// Whether its component may answer calls: it has neither failed nor been stopped.
    var mayAnswer: Bool {
        switch currentState {
        case .failed, .stopping, .stopped: false
        case .available, .starting, .running: true
        }
    }
}
