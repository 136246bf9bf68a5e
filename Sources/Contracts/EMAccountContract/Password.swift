public import ComponentKit

/// A password on its way to EMAccount. It travels as a string; printed or reflected it shows nothing, and an error
/// about what was found in its place does not say that.
public struct Password: Sendable {
    /// What was typed.
    public let clearText: String

    /// A password that was typed.
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
                expected: "a password as a string (digits alone in quotes)", found: "something else, not shown here")
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
