/// An event: something that has happened, with a name and a value. Models marked ``Event(_:)`` conform.
public protocol LinkEvent: PayloadConvertible, Sendable {
    /// The name that posters and handlers agree on, such as "com.example.account/signedIn".
    static var eventName: String { get }
}

/// How the delivery of an event went.
public struct EventOutcome: Sendable {
    /// A handler that failed.
    public struct Failure: Sendable {
        /// The component that has the handler; empty for the program itself.
        public let component: String
        /// The class of the handler; empty for a closure of the program.
        public let className: String
        /// The selector of the handler; empty for a closure of the program.
        public let selector: String
        /// What it threw, or ``LinkError/Code/deadlineExceeded`` if it was still running at its deadline.
        public let error: LinkError

        package init(component: String, className: String, selector: String, error: LinkError) {
            self.component = component
            self.className = className
            self.selector = selector
            self.error = error
        }
    }

    /// The number of handlers that succeeded, including closures and streams of the program.
    public package(set) var handled = 0
    /// The handlers that failed, in the order in which they were called.
    public package(set) var failures: [Failure] = []
    /// The components with handlers that were not called because they are not loaded, in order, each once.
    public package(set) var notLoaded: [String] = []
    /// Why the event was not delivered to anyone: its name is invalid or reserved, events cause each other without end,
    /// the host keeps too many sticky events, too many events wait, the handler that awaits it would wait for itself,
    /// or the host has stopped. Nil if it was delivered. If the code is
    /// `cancelled`, because the waiting task was cancelled or the host stopped meanwhile, some handlers may have been
    /// called.
    public package(set) var refusal: LinkError?

    /// Whether the event was delivered and no handler failed.
    public var isSuccess: Bool { refusal == nil && failures.isEmpty }

    package init() {}

    package init(refusal: LinkError) { self.refusal = refusal }
}

// The form in which an outcome crosses the boundary.
extension EventOutcome {
    package var payload: Payload {
        [
            "handled": Payload(handled),
            "failures": .array(
                failures.map { failure in
                    [
                        "component": .string(failure.component), "class": .string(failure.className),
                        "selector": .string(failure.selector), "error": failure.error.payload,
                    ]
                }), "notLoaded": .array(notLoaded.map { .string($0) }), "refusal": refusal?.payload ?? .null,
        ]
    }

    package init(_ payload: Payload) throws(PayloadError) {
        handled = try payload.int("handled")
        for item in try payload["failures"]?.items() ?? [] {
            failures.append(
                Failure(
                    component: try item.string("component"), className: try item.string("class"),
                    selector: try item.string("selector"), error: try LinkError(payload: item["error"] ?? .null)))
        }
        for item in try payload["notLoaded"]?.items() ?? [] { notLoaded.append(try item.string()) }
        if let refusal = payload["refusal"], !refusal.isNull { self.refusal = try LinkError(payload: refusal) }
    }
}
