import ComponentKit

/// What people have chosen, each in their session. The choices that have been unused for the longest time make room.
final class SessionValues<Value: Sendable>: Sendable {
    private struct Key: Hashable {
        var session: Session?
        var subject: String
    }

    private struct State {
        var values: [Key: (value: Value, number: Int)] = [:]
        var lastNumber = 0
    }

    private let state = Lock(State())
    private let most: Int

    /// - Parameter most: how many values are kept.
    init(most: Int = 1000) { self.most = most }

    /// The value of the running call's session.
    ///
    /// - Parameter subject: what it is about, such as a component.
    subscript(subject: String = "") -> Value? {
        get { value(for: subject, in: .current) }
        set { set(newValue, for: subject, in: .current) }
    }

    func value(for subject: String, in session: Session?) -> Value? {
        state.withLock { $0.values[Key(session: session, subject: subject)]?.value }
    }

    func set(_ value: Value?, for subject: String, in session: Session?) {
        let removed = state.withLock { [most] state -> (value: Value, number: Int)? in
            state.lastNumber += 1
            let former = state.values.removeValue(forKey: Key(session: session, subject: subject))
            guard let value else { return former }
            state.values[Key(session: session, subject: subject)] = (value, state.lastNumber)
            if state.values.count > most, let oldest = state.values.min(by: { $0.value.number < $1.value.number }) {
                return state.values.removeValue(forKey: oldest.key)
            }
            return former
        }
        withExtendedLifetime(removed) {}
    }
}
