import CGlibc
import ComponentKit
import Synchronization

/// The deliveries under way, which the posts of their handlers wait for.
final class OpenDeliveries: Sendable {
    /// An event that is delivered after the one under way.
    struct Waiting: Sendable {
        let event: String
        let payload: Payload
        let isSticky: Bool
        /// The names of the events that have led to it, outermost first.
        let causes: [String]
        /// The context of the poster.
        let context: CallerContext
        /// What all events have in common that one event has led to.
        let cascade: EventCascade
    }

    private struct Open {
        let event: String
        let causes: [String]
        /// Nil until a handler posts.
        var cascade: EventCascade?
        var waiting: [Waiting] = []
    }

    /// The open deliveries by number, and the numbers for the next ones.
    private struct Contents {
        var open: [Int: Open] = [:]
        var numbers = DeliveryNumbers()
    }

    private let contents = Lock(Contents())
    /// How many deliveries are held: they have handlers to call when the one under way has ended.
    private let held = Atomic(0)

    /// Whether handlers are yet to be called beyond those under way, of events that are being delivered or that handlers
    /// have posted. The stop of the host waits for them: while the end of one handler is passed on to the next, no call of
    /// the delivery is open.
    var isAnyUnfinished: Bool {
        held.load(ordering: .sequentiallyConsistent) > 0
            || contents.withLock { $0.open.values.contains { !$0.waiting.isEmpty } }
    }

    func hold() { held.add(1, ordering: .sequentiallyConsistent) }

    /// Lets go of a delivery that is held: it has begun its next handler, or has ended.
    func letGo() { held.subtract(1, ordering: .sequentiallyConsistent) }

    /// How many events may lead to each other.
    static let causeLimit = 16

    /// Begins a delivery.
    ///
    /// - Parameters:
    ///   - causes: the names of the events that have led to it, outermost first.
    ///   - cascade: what it belongs to; nil if no event has led to it.
    /// - Returns: Its number.
    func begin(_ event: String, after causes: [String], in cascade: EventCascade?) -> Int {
        contents.withLock { contents in
            var number = contents.numbers.next()
            while contents.open[number] != nil { number = contents.numbers.next() }
            contents.open[number] = Open(event: event, causes: causes, cascade: cascade)
            return number
        }
    }

    /// Ends a delivery.
    ///
    /// - Returns: What its handlers have posted.
    func end(_ number: Int) -> [Waiting] {
        contents.withLock { $0.open.removeValue(forKey: number)?.waiting ?? [] }
    }

    /// Returns the names of the events that have led to one that a handler posts, outermost first.
    ///
    /// - Parameter number: the delivery that the handler is called in; nil outside of handlers.
    /// - Throws: `LinkError` with code `tooDeep` and the names if events cause each other without end.
    func causes(of event: String, during number: Int?) throws(LinkError) -> [String] {
        guard let number,
            let causes = contents.withLock({ contents in contents.open[number].map { $0.causes + [$0.event] } })
        else { return [] }
        guard causes.count < OpenDeliveries.causeLimit else {
            throw LinkError(
                .tooDeep,
                message: "\(causes.count + 1) events cause each other: \((causes + [event]).joined(separator: " → "))")
        }
        return causes
    }

    /// Lets a post wait until a delivery has ended.
    ///
    /// - Parameters:
    ///   - number: the delivery.
    ///   - post: makes what waits, as part of a cascade.
    /// - Returns: False if the delivery has ended already.
    /// - Throws: `LinkError` with code `tooDeep` if the cascade has too many events.
    func wait(for number: Int, _ post: (EventCascade) -> Waiting) throws(LinkError) -> Bool {
        let result = contents.withLock { contents -> Bool? in
            // Taken out and put back, so that appending copies nothing.
            guard var delivery = contents.open.removeValue(forKey: number) else { return false }
            defer { contents.open[number] = delivery }
            let cascade = delivery.cascade ?? EventCascade()
            guard cascade.add() else { return nil }
            delivery.cascade = cascade
            delivery.waiting.append(post(cascade))
            return true
        }
        guard let result else {
            throw LinkError(
                .tooDeep, message: "one event has led to \(EventCascade.limit) others: let them end first")
        }
        return result
    }
}

/// Random numbers for deliveries. A handler proves with the number that its post belongs to the delivery, so that others
/// must not be able to guess it. Numbers of several hosts do not coincide either, although a thread that runs a handler
/// of one host may post to another.
private struct DeliveryNumbers {
    /// The numbers that are read from the system at once: one system call for each would cost more than a delivery.
    private static let batch = 256

    private var unused: [Int] = []

    /// Returns a number from 1 to 2^63 - 1.
    mutating func next() -> Int {
        while true {
            if unused.isEmpty { refill() }
            let number = unused.removeLast() & Int.max
            // 0 stands for no delivery.
            if number != 0 { return number }
        }
    }

    private mutating func refill() {
        var numbers = [Int](repeating: 0, count: DeliveryNumbers.batch)
        let size = numbers.count * MemoryLayout<Int>.stride
        if unsafe getrandom(&numbers, size, 0) != size {
            // The system was interrupted by a signal, or is too old for the call.
            var system = SystemRandomNumberGenerator()
            for index in numbers.indices { numbers[index] = Int(bitPattern: UInt(system.next())) }
        }
        unused = numbers
    }
}

/// The events that one event has led to, directly and through others.
final class EventCascade: Sendable {
    private let count = Atomic(0)

    /// How many events one may lead to. Without a limit, three handlers that each post what they handle would cause more
    /// deliveries than a thread ends with.
    static let limit = 65_536

    /// Counts another event.
    ///
    /// - Returns: False if there are too many.
    func add() -> Bool { count.add(1, ordering: .relaxed).newValue <= EventCascade.limit }
}
