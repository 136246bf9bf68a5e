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
    private struct State {
        var last = 0
        var messages: [Session: (number: Int, message: PageMessage)] = [:]
    }

    private let state = Lock(State())
    /// The most sessions with something to say. Who never looks must not fill the memory.
    private let most: Int

    init(most: Int = 1000) { self.most = most }

    /// Keeps a message in place of an earlier one of the session. Beyond the most, the one kept for longest is forgotten.
    func put(_ message: PageMessage, _ session: Session) {
        state.withLock { state in
            if state.messages.count >= most, state.messages[session] == nil,
                let oldest = state.messages.min(by: { $0.value.number < $1.value.number })
            {
                state.messages[oldest.key] = nil
            }
            state.last += 1
            state.messages[session] = (state.last, message)
        }
    }

    /// Whether there is something to say.
    func has(_ session: Session) -> Bool { state.withLock { $0.messages[session] != nil } }

    func take(_ session: Session) -> PageMessage? {
        state.withLock { $0.messages.removeValue(forKey: session)?.message }
    }
}
