public import ComponentKit

/// A call that is sent to a host.
public struct CallDescription: Sendable {
    /// The class to call.
    public var className: String
    /// The selector.
    public var selector: String
    /// Whether the method is called on an instance or on the class.
    public var kind: SelectorKind
    /// The payload of the call, which must not contain objects.
    public var payload: Payload
    /// How long the answer may take; nil for no limit.
    public var timeout: Duration?

    /// Makes a call. The parameters correspond to the properties.
    public init(
        _ className: String, _ selector: String, _ payload: Payload = .null, kind: SelectorKind = .object,
        timeout: Duration? = nil
    ) {
        self.className = className
        self.selector = selector
        self.payload = payload
        self.kind = kind
        self.timeout = timeout
    }

    /// The maximum timeout in nanoseconds, about 146 years. Longer timeouts are shortened to it.
    private static let longestTimeout: Int64 = 1 << 62

    init(_ payload: Payload) throws(PayloadError) {
        className = try payload.string("class")
        selector = try payload.string("selector")
        kind =
            switch try payload.stringIfPresent("kind") {
            case nil, "object": .object
            case "class": .class
            case let other?:
                throw PayloadError(
                    path: ["kind"], expected: "\"object\" or \"class\"", found: "\"\(other.prefix(60))\"")
            }
        self.payload = payload["payload"] ?? .null
        timeout = try payload.intIfPresent("timeout").map { .nanoseconds(Int64($0)) }
    }

    /// The entries of the request that describe the call; the timeout is in nanoseconds.
    var entries: [(String, Payload)] {
        var entries: [(String, Payload)] = [
            ("class", .string(className)), ("selector", .string(selector)), ("kind", .string(kind.rawValue)),
            ("payload", payload),
        ]
        if let timeout {
            let (seconds, attoseconds) = timeout.components
            let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
            let nanoseconds = isTooLong ? CallDescription.longestTimeout : whole + attoseconds / 1_000_000_000
            entries.append(("timeout", .int(min(nanoseconds, CallDescription.longestTimeout))))
        }
        return entries
    }
}
