/// The delivery of an event that the running code is part of. Events that it posts are delivered after this one.
public enum __CurrentDelivery {
    /// The number that the host has given to the delivery; nil outside of handlers.
    @TaskLocal package static var current: Int?

    /// The key of the number in the payload of a handler's call.
    package static let key = "hslink.delivery"

    /// Runs a handler.
    @inlinable
    public static func handling(_ payload: borrowing PayloadView, _ body: () throws -> Void) rethrows {
        guard let number = number(in: payload) else { return try body() }
        try handling(number, body)
    }

    @usableFromInline
    static func number(in payload: borrowing PayloadView) -> Int? { (try? payload.valueIfPresent(key)) ?? nil }

    @usableFromInline
    static func handling(_ number: Int, _ body: () throws -> Void) rethrows {
        try $current.withValue(number) { try body() }
    }

    /// Returns nothing. It makes the compiler explain why a handler can't have a parameter of another type.
    @inlinable
    public static func requireEvent<Event: LinkEvent>(_ type: Event.Type) {}

    /// Unavailable: the overload for types that are not events.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "this type is not an event: mark it @Model and @Event(\"com.example.account/signedIn\")"
    )
    public static func requireEvent<Value>(_ type: Value.Type) {}

    /// Runs an asynchronous handler.
    public nonisolated(nonsending) static func handling(
        _ payload: Payload, _ body: () async throws -> Void
    ) async rethrows {
        guard let number = (try? payload[key]?.int()) ?? nil else { return try await body() }
        try await $current.withValue(number) { try await body() }
    }
}
