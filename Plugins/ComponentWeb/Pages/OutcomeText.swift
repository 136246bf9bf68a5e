import ComponentKit
import PageKit

/// What an action has answered, in words for the person.
enum OutcomeText {
    /// The longest message, in characters.
    private static let longest = 2000

    /// Returns what to say; nil if there is nothing to say.
    static func message(of value: Payload) -> String? {
        guard value != .null, value != .map([]), value != .array([]) else { return nil }
        if let text = try? value.string() { return text.isEmpty ? nil : shortened(text) }
        if let isDone = try? value.bool() { return isDone ? nil : "That was not done." }
        // A route may answer anything.
        return (try? value.json(pretty: true)).map(shortened)
    }

    private static func shortened(_ text: String) -> String {
        text.count <= longest ? text : "\(text.prefix(longest))…"
    }
}

/// What is to be said on the next page of a session.
final class Notices: Sendable {
    private let messages = Lock<[Session: PageMessage]>([:])

    /// The most sessions with something to say. Who never looks must not fill the memory.
    private static let most = 1000

    func put(_ message: PageMessage, _ session: Session) {
        messages.withLock { messages in
            if messages.count >= Notices.most { messages = [:] }
            messages[session] = message
        }
    }

    /// Whether there is something to say.
    func has(_ session: Session) -> Bool { messages.withLock { $0[session] != nil } }

    func take(_ session: Session) -> PageMessage? { messages.withLock { $0.removeValue(forKey: session) } }
}
