public import ComponentKit

/// A password on its way to EMAccount. It travels as a string. Printing or reflecting it shows nothing, and an error
/// about a value of the wrong kind does not show that value.
public struct Password: Sendable {
    /// The typed password.
    public let clearText: String

    /// Creates a password from typed text.
    public init(_ clearText: String) { self.clearText = clearText }
}

extension Password: PayloadConvertible {
    /// The string.
    public var payload: Payload { Payload(clearText) }

    /// Reads the string.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        do throws(PayloadError) {
            clearText = try payload.string()
        } catch {
            throw PayloadError(
                expected: "a password as a string (digits alone in quotes)", found: "another kind of value, not shown")
        }
    }
}

extension Password: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Dots, whatever the password.
    public var description: String { "••••" }
    /// Dots, whatever the password.
    public var debugDescription: String { description }
    /// Nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
