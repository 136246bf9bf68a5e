import ComponentKit
import Synchronization

/// The deliveries under way, which the posts of their handlers wait for.
final class EventDeliveries: Sendable {
    /// An event that is delivered after the one under way.
    struct Waiting: Sendable {
        let event: String
        let payload: Payload
        let isSticky: Bool
        /// The names of the events that have led to it, outermost first.
        let way: [String]
        /// The texts that the poster's call carries.
        let carried: Payload?
    }

    private struct Open {
        let way: [String]
        var waiting: [Waiting] = []
    }

    private let open = Lock<[Int: Open]>([:])

    /// The last number that was given to a delivery of any host: a thread that runs a handler of one host may post to
    /// another.
    private static let count = Atomic(0)

    /// How many events may lead to each other.
    static let wayLimit = 16
    /// How many events the handlers of one delivery may post.
    static let waitingLimit = 65_536

    /// Begins a delivery.
    ///
    /// - Parameter way: the names of the events that have led to it, and its own.
    /// - Returns: Its number.
    func begin(_ way: [String]) -> Int {
        let number = EventDeliveries.count.add(1, ordering: .relaxed).newValue
        open.withLock { $0[number] = Open(way: way) }
        return number
    }

    /// Ends a delivery.
    ///
    /// - Returns: What its handlers have posted.
    func end(_ number: Int) -> [Waiting] {
        open.withLock { $0.removeValue(forKey: number)?.waiting ?? [] }
    }

    /// Returns the names of the events on the way to one that a handler posts, with its own.
    ///
    /// - Parameter number: the delivery that the handler is called in; nil outside of handlers.
    /// - Throws: `LinkError` with code `tooDeep` and the way if events cause each other without end.
    func way(to event: String, during number: Int?) throws(LinkError) -> [String] {
        guard let number, let way = open.withLock({ $0[number]?.way }) else { return [event] }
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
        let result = open.withLock { open -> Bool? in
            guard let count = open[number]?.waiting.count else { return false }
            guard count < EventDeliveries.waitingLimit else { return nil }
            open[number]?.waiting.append(waiting)
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
