/// A string that must not appear in logs or listings, such as a password or token. As a field of a configuration it is
/// hidden in `hslink config`.
///
///     @Model struct Options { var token: Secret }
///     request.headers["Authorization"] = "Bearer \(options.token.text)"
///
/// Only ``text`` reveals it: its descriptions, and those of values that contain it, say `<secret>`. In a payload it
/// travels as a string like any other.
public struct Secret: Hashable, Sendable {
    /// The text.
    public let text: String

    /// - Parameter text: The text.
    public init(_ text: String) { self.text = text }
}

extension Secret: ExpressibleByStringLiteral {
    /// Creates the secret from a literal.
    public init(stringLiteral value: String) { self.init(value) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The fixed text `<secret>`.
    public var description: String { "<secret>" }
    /// The fixed text `<secret>`.
    public var debugDescription: String { "<secret>" }
    /// A mirror without children, so that `dump` does not reveal the text.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: PayloadConvertible {
    /// The text as a string.
    public var payload: Payload { .string(text) }

    /// Reads a string.
    ///
    /// - Throws: ``PayloadError`` if the value is not a string. The error does not show the value.
    public init(payload: borrowing PayloadView) throws(PayloadError) { self.init(try payload.string()) }
}
