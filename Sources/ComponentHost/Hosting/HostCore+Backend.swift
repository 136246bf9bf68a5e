import CHSLink
import ComponentKit

extension HostCore: LinkBackend {
    func start(
        _ request: borrowing CallRequest, _ completion: CallCompletion
    ) -> CallIdentifier? {
        start(request, from: nil, completion)
    }

    /// Carries out a call of the host's own code (`caller` nil) or of a component.
    func start(
        _ request: borrowing CallRequest, from caller: HostTable?,
        _ completion: CallCompletion
    ) -> CallIdentifier? {
        if let object = request.object { return start(request, object, from: caller, completion) }
        guard let entry = unsafe findClass(request.className) else {
            completion.fail(
                .classNotFound,
                LinkError(code: .classNotFound, className: request.className, selector: request.selector))
            return nil
        }
        if unsafe request.deadline != nil || (request.isDetached && !isQuick(entry, request)) {
            let (selector, kind) = (request.selector, request.kind)
            let unit = unsafe entry.takeUnretainedValue().unit
            return detach(
                unit, request.payload, request.deadline, from: caller, names: (request.className, selector), completion
            ) { core throws(LinkError) in unsafe .method(try core.resolve(entry, selector, kind)) }
        }
        do throws(LinkError) {
            let linkClass = unsafe try loadedClass(of: entry, request.selector)
            let found = unsafe linkClass._withUnsafeGuaranteedRef { unsafe $0.find(request.selector, request.kind) }
            guard let method = unsafe found else {
                let isRunning = unsafe linkClass._withUnsafeGuaranteedRef { $0.isRunning }
                completion.fail(
                    isRunning ? .selectorNotFound : .stopped,
                    unsafe missing(request.selector, entry.takeUnretainedValue()))
                return nil
            }
            return unsafe request.payload.withUnsafeValue { value in
                unsafe run(
                    method, value, caller: caller?.caller ?? hslink_string(), deadline: 0,
                    flags: request.waits ? UInt32(HSLINK_CALL_WAITS) : 0, completion)
            }
        } catch {
            completion.fail(error)
            return nil
        }
    }

    /// Whether the method is loaded and never blocks.
    private func isQuick(_ entry: Unmanaged<ClassEntry>, _ request: borrowing CallRequest) -> Bool {
        guard let loaded = unsafe entry._withUnsafeGuaranteedRef({ unsafe $0.loadedClass }) else { return false }
        return unsafe loaded._withUnsafeGuaranteedRef { unsafe $0.find(request.selector, request.kind) }?.pointee
            .isQuick ?? false
    }

    private func start(
        _ request: borrowing CallRequest, _ object: LinkObject, from caller: HostTable?,
        _ completion: CallCompletion
    ) -> CallIdentifier? {
        let selector = request.selector
        if selector.isEmpty, let bound = unsafe BoundObject.of(object.pointer) {
            return bound.start(request, completion)
        }
        guard request.deadline != nil || request.isDetached else {
            return object.start(selector, request.payload, flags: request.waits ? UInt32(HSLINK_CALL_WAITS) : 0) {
                completion.finish($0)
            }
        }
        return detach(
            nil, request.payload, request.deadline, from: caller, names: (object.className, selector), completion
        ) { _ in .object(object, selector) }
    }

    func callAndWait(_ request: borrowing CallRequest) throws(LinkError) -> Payload {
        guard request.deadline == nil, request.object == nil else {
            let wait = BlockingWait()
            _ = start(request, .outcome { wait.finish($0) })
            return try wait.wait()
        }
        let method = try unsafe resolve(request.className, request.selector, request.kind)
        return try unsafe request.payload.withUnsafeValue { value throws(LinkError) in
            try unsafe callAndWait(method, value)
        }
    }

    func cancel(_ call: CallIdentifier) { PendingReply(identifier: call)?.end(with: LinkError(.cancelled)) }

    func bind(
        _ className: String, _ selector: String, _ kind: SelectorKind
    ) throws(LinkError) -> any BoundMethod {
        try bindMethod(className, selector, kind)
    }

    // The host's own objects live as long as the process does: nobody stops them.
    func enter() -> Bool { true }
    func leave() {}

    func log(_ level: LogLevel, _ message: String) { log(level, message, component: "host") }
}
