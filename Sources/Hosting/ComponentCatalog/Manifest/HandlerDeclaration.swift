import ComponentKit
import ManifestRules
import SystemSupport

/// The declaration that a selector handles an event.
///
///     "on": {"event": "com.example.account/signedIn", "loads": true, "priority": 5}
public struct HandlerDeclaration: Hashable, Sendable {
    /// The name of the event.
    public let event: String
    /// Whether the event loads the component if it is not loaded yet.
    public let loads: Bool
    /// Whether the handler may be called for several events at a time, in any order. If not, it receives the events in
    /// the order in which they were posted, one at a time.
    public let isConcurrent: Bool
    /// The order among handlers of the same event: the one with the highest priority is called first.
    public let priority: Int

    package init(event: String, loads: Bool = false, isConcurrent: Bool = false, priority: Int = 0) {
        self.event = event
        self.loads = loads
        self.isConcurrent = isConcurrent
        self.priority = priority
    }

    /// The declaration in one line, as in `on com.example.account/signedIn [loads, priority 5]`.
    package var line: String {
        let marks =
            (loads ? ["loads"] : []) + (isConcurrent ? ["concurrent"] : [])
            + (priority == 0 ? [] : ["priority \(priority)"])
        return "on \(event)" + (marks.isEmpty ? "" : " [\(marks.joined(separator: ", "))]")
    }
}

extension HandlerDeclaration {
    /// Reads the declaration of a handler; nil if the selector is not one. A type instead of an event's name is kept as
    /// it is; ``ManifestJoin`` replaces it.
    ///
    /// - Parameter json: The selector.
    /// - Throws: `PayloadError` if any part of it is invalid.
    init?(of json: Payload) throws(PayloadError) {
        guard let map = json["on"], !map.isNull else { return nil }
        (event, loads, isConcurrent, priority) = try PayloadError.within("on") { () throws(PayloadError) in
            _ = try map.entries()
            try map.refuseKeys(besides: .handler)
            let event = try map.string("event")
            return (
                try map.text("event", event.hasASCII("/") ? .event : .name),
                try map.boolIfPresent("loads") ?? false, try map.boolIfPresent("concurrent") ?? false,
                try map.declaredPriority()
            )
        }
    }
}
