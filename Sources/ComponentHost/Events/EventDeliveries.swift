import ComponentKit

/// The deliveries under way, which the posts of their handlers wait for.
final class EventDeliveries: Sendable {
    /// An event that is delivered after the one under way.
    struct Waiting: Sendable {
        let event: String
        let payload: Payload
        let isSticky: Bool
        /// The names of the events that have led to it, outermost first.
        let way: [String]
    }

    private struct Open {
        let way: [String]
        var waiting: [Waiting] = []
    }

    private struct State {
        var open: [Int: Open] = [:]
        var number = 0
    }

    private let state = Lock(State())

    /// How many events may lead to each other.
    static let wayLimit = 16
    /// How many events the handlers of one delivery may post.
    static let waitingLimit = 65_536

    /// Begins a delivery.
    ///
    /// - Parameter way: the names of the events that have led to it, and its own.
    /// - Returns: Its number.
    func begin(_ way: [String]) -> Int {
        state.withLock { state in
            state.number += 1
            state.open[state.number] = Open(way: way)
            return state.number
        }
    }

    /// Ends a delivery.
    ///
    /// - Returns: What its handlers have posted.
    func end(_ number: Int) -> [Waiting] {
        state.withLock { $0.open.removeValue(forKey: number)?.waiting ?? [] }
    }

    /// Returns the names of the events on the way to one that a handler posts, with its own.
    ///
    /// - Parameter number: the delivery that the handler is called in; nil outside of handlers.
    /// - Throws: `LinkError` with code `tooDeep` and the way if events cause each other without end.
    func way(to event: String, during number: Int?) throws(LinkError) -> [String] {
        guard let number, let way = state.withLock({ $0.open[number]?.way }) else { return [event] }
        guard way.count < EventDeliveries.wayLimit else {
            throw LinkError(
                .tooDeep,
                message: "\(way.count + 1) events cause each other: \((way + [event]).joined(separator: " → "))")
        }
        return way + [event]
    }

    /// Lets a post wait until a delivery has ended.
    ///
    /// - Returns: False if it has ended already.
    func wait(_ waiting: Waiting, for number: Int) throws(LinkError) -> Bool {
        let result = state.withLock { state -> Bool? in
            guard let count = state.open[number]?.waiting.count else { return false }
            guard count < EventDeliveries.waitingLimit else { return nil }
            state.open[number]?.waiting.append(waiting)
            return true
        }
        guard let result else {
            throw LinkError(
                .tooDeep,
                message:
                    "the handlers of one event have posted \(EventDeliveries.waitingLimit) events: let it end first")
        }
        return result
    }
}
