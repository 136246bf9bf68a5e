import CGlibc
import ComponentKit
import Synchronization

/// The deliveries of one event, in the order in which it was posted.
// Unchecked: the lock of OpenDeliveries guards it.
final class EventLine: @unchecked Sendable {
    fileprivate var last: EventDelivery?
    fileprivate var count = 0
    /// How many of them wait for the end of the delivery whose handler has posted them.
    fileprivate var heldCount = 0
    /// Whether it has been reported that many events wait.
    fileprivate var isReported = false
}

/// The deliveries under way: in which order they pass the handlers of their event, and what the posts of handlers wait
/// for.
///
/// A delivery waits for its turn without a thread: whoever passes a handler finds those that wait for it, and carries
/// them out. No cycle can arise: a delivery waits only for such that were added before it; one that a handler waits for
/// is refused if it would wait for that handler; and one that waits for the end of another begins early if any would
/// wait for it.
final class OpenDeliveries: Sendable {
    /// How a delivery begins.
    struct Opening {
        /// Whether it waits for the end of the delivery whose handler has posted it.
        var isHeld = false
        /// What begins before it, in order.
        var first: [EventDelivery] = []
        /// The handler that the first in the line has yet to pass, if many have begun to wait.
        var slowHandler: EventHandler?
    }

    /// The open deliveries by number, and the numbers for the next ones.
    private struct Contents {
        var open: [Int: EventDelivery] = [:]
        var numbers = DeliveryNumbers()
    }

    private let contents = Lock(Contents())
    /// How many deliveries are held: they have handlers to call when the one under way has ended, or wait for others.
    private let held = Atomic(0)

    /// Whether handlers are yet to be called beyond those under way, of events that are being delivered, that wait for
    /// their turn, or that handlers have posted. The stop of the host waits for them: while the end of one handler is
    /// passed on to the next, no call of the delivery is open.
    var isAnyUnfinished: Bool { held.load(ordering: .sequentiallyConsistent) > 0 }

    func hold() { held.add(1, ordering: .sequentiallyConsistent) }

    /// Lets go of a delivery that is held: it has begun its next handler, or has ended.
    func letGo() { held.subtract(1, ordering: .sequentiallyConsistent) }

    /// How many events may lead to each other.
    static let causeLimit = 16
    /// How many deliveries of one event may be open.
    static let lineLimit = 65_536
    /// How many of them are reported.
    static let reportedLength = 1024

    /// Adds a delivery at the end of its line, and gives it a number.
    ///
    /// - Parameters:
    ///   - outer: the number of the delivery whose handler posts the event; nil outside of handlers.
    ///   - isAwaited: whether that handler waits for it. If it does not, the delivery is held while the other is open.
    /// - Throws: `LinkError` with code `stuck` if the line is full, `wouldDeadlock` if a handler would wait for itself,
    ///   or `tooDeep` if one event has led to too many.
    func open(_ delivery: EventDelivery, during outer: Int?, isAwaited: Bool) throws(LinkError) -> Opening {
        let line = delivery.handlers[0].line
        return try contents.withLock { contents throws(LinkError) -> Opening in
            guard line.count < OpenDeliveries.lineLimit || !delivery.waitsForTurns else {
                throw OpenDeliveries.isFull(delivery.event, line)
            }
            var opening = Opening()
            if let outer = outer.flatMap({ contents.open[$0] }) {
                if isAwaited {
                    guard !OpenDeliveries.wouldWait(delivery, for: outer) else {
                        throw LinkError(
                            .wouldDeadlock,
                            message:
                                "a handler of \(outer.event) waits for \(delivery.event), whose handlers are called "
                                + "only after it has returned: post the event without waiting for it, or declare the "
                                + "handlers with the trait concurrent")
                    }
                    outer.awaited.append(delivery)
                    delivery.waiter = outer
                } else {
                    let cascade = outer.cascade ?? EventCascade()
                    guard cascade.add() else {
                        throw LinkError(
                            .tooDeep,
                            message: "one event has led to \(EventCascade.limit) others: let them end first")
                    }
                    (outer.cascade, delivery.cascade) = (cascade, cascade)
                    delivery.end = outer.end
                    outer.posts.append(delivery)
                    delivery.isHeld = true
                    line.heldCount += 1
                    hold()
                    opening.isHeld = true
                }
            }
            var number = contents.numbers.next()
            while contents.open[number] != nil { number = contents.numbers.next() }
            delivery.number = number
            contents.open[number] = delivery
            delivery.previous = line.last
            line.last?.next = delivery
            line.last = delivery
            line.count += 1
            if line.count >= OpenDeliveries.reportedLength, !line.isReported {
                line.isReported = true
                opening.slowHandler = OpenDeliveries.first(in: line)?.nextHandler
            }
            if !opening.isHeld { opening.first = OpenDeliveries.begin(delivery) }
            return opening
        }
    }

    /// Lets a delivery go on that is not held any more.
    ///
    /// - Returns: The held ones before it in the line, which it would wait for. They are not held any more either.
    private static func begin(_ delivery: EventDelivery) -> [EventDelivery] {
        delivery.hasPredecessors = delivery.previous != nil
        let line = delivery.handlers[0].line
        var first: [EventDelivery] = []
        var other = delivery.waitsForTurns ? delivery.previous : nil
        while line.heldCount > 0, let ahead = other {
            if ahead.isHeld {
                ahead.isHeld = false
                ahead.hasPredecessors = true
                line.heldCount -= 1
                first.append(ahead)
            }
            other = ahead.previous
        }
        return first.reversed()
    }

    /// Takes the first delivery that is still held, and lets it follow by the others.
    ///
    /// - Returns: What begins before it, and then that delivery.
    func begin(firstOf posts: ArraySlice<EventDelivery>) -> [EventDelivery] {
        guard !posts.isEmpty else { return [] }
        return contents.withLock { _ in
            var posts = posts
            while let next = posts.popFirst() {
                // Another delivery may have been in need of it.
                guard next.isHeld else { continue }
                next.isHeld = false
                next.handlers[0].line.heldCount -= 1
                next.followers = posts
                return OpenDeliveries.begin(next) + [next]
            }
            return []
        }
    }

    /// Notes that a delivery has passed handlers, and asks whether it is its turn at the next one. If it is not, the
    /// delivery is held, and another thread carries it out once it may be its turn.
    ///
    /// - Parameters:
    ///   - index: how many handlers it has passed.
    ///   - waits: whether the next one is called for one event at a time.
    ///   - ready: receives the deliveries that may go on now, which are held.
    /// - Returns: Whether it goes on.
    func advance(
        _ delivery: EventDelivery, to index: Int, waits: Bool, ready: inout [EventDelivery]
    ) -> Bool {
        let (mayGoOn, woken) = contents.withLock { _ -> (Bool, [EventDelivery]) in
            var woken: [EventDelivery] = []
            if index > delivery.passed {
                delivery.passed = index
                if !delivery.parked.isEmpty {
                    woken = delivery.parked.filter { !delivery.isPending(at: $0.nextHandler) }
                    delivery.parked.removeAll { !delivery.isPending(at: $0.nextHandler) }
                }
            }
            guard waits else { return (true, woken) }
            delivery.hasPredecessors = delivery.previous != nil
            guard let ahead = OpenDeliveries.pending(before: delivery, at: delivery.nextHandler) else {
                return (true, woken)
            }
            ahead.parked.append(delivery)
            hold()
            return (false, woken)
        }
        ready += woken
        return mayGoOn
    }

    /// Ends a delivery.
    ///
    /// - Parameter ready: receives the deliveries that may go on now, which are held.
    /// - Returns: What its handlers have posted.
    func end(_ delivery: EventDelivery, _ ready: inout [EventDelivery]) -> [EventDelivery] {
        let (posts, woken) = contents.withLock { contents -> ([EventDelivery], [EventDelivery]) in
            contents.open[delivery.number] = nil
            let line = delivery.handlers[0].line
            if let next = delivery.next { next.previous = delivery.previous } else { line.last = delivery.previous }
            delivery.previous?.next = delivery.next
            (delivery.previous, delivery.next) = (nil, nil)
            line.count -= 1
            if line.count <= OpenDeliveries.reportedLength / 2 { line.isReported = false }
            if let waiter = delivery.waiter {
                waiter.awaited.removeAll { $0 === delivery }
                delivery.waiter = nil
            }
            defer { (delivery.posts, delivery.parked) = ([], []) }
            return (delivery.posts, delivery.parked)
        }
        ready += woken
        return posts
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

    // MARK: - Lines

    /// Returns the nearest delivery before another that has yet to pass a handler; nil if it is the other's turn.
    private static func pending(before delivery: EventDelivery, at handler: EventHandler) -> EventDelivery? {
        var other = delivery.previous
        while let ahead = other {
            if ahead.isPending(at: handler) { return ahead }
            // It has had its turn there after all those before it.
            if ahead.waitsForTurns, ahead.handlers.contains(where: { $0.identity === handler.identity }) { return nil }
            other = ahead.previous
        }
        return nil
    }

    /// Whether a new delivery would wait for one whose handler is to wait for it.
    private static func wouldWait(_ delivery: EventDelivery, for target: EventDelivery) -> Bool {
        var seen: Set<ObjectIdentifier> = []
        var rest = nearest(delivery, from: delivery.handlers[0].line.last)
        while let next = rest.popLast() {
            guard next !== target else { return true }
            guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
            rest += next.awaited
            if next.waitsForTurns { rest += nearest(next, from: next.previous) }
        }
        return false
    }

    /// Returns the deliveries that one waits for at its handlers: the nearest for each.
    private static func nearest(_ delivery: EventDelivery, from last: EventDelivery?) -> [EventDelivery] {
        var handlers = delivery.handlers[delivery.passed...].filter { !$0.isConcurrent }
        var found: [EventDelivery] = []
        var other = last
        while let ahead = other, !handlers.isEmpty {
            let count = handlers.count
            handlers.removeAll { ahead.isPending(at: $0) }
            if handlers.count < count { found.append(ahead) }
            other = ahead.previous
        }
        return found
    }

    private static func first(in line: EventLine) -> EventDelivery? {
        var first = line.last
        while let previous = first?.previous { first = previous }
        return first
    }

    private static func isFull(_ event: String, _ line: EventLine) -> LinkError {
        let handler = first(in: line)?.nextHandler.name ?? ""
        return LinkError(
            .stuck,
            message:
                "\(lineLimit) events \(event) wait for their handlers, the first one for \(handler): post fewer, let "
                + "the handler return sooner, or declare it with the trait concurrent")
    }
}

/// Random numbers for deliveries. A handler proves with the number that its post belongs to the delivery, so that
/// others must not be able to guess it. Numbers of several hosts do not coincide either, although a thread that runs a
/// handler of one host may post to another.
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

    /// How many events one may lead to. Without a limit, three handlers that each post what they handle would cause
    /// more deliveries than a thread ends with.
    static let limit = 65_536

    /// Counts another event.
    ///
    /// - Returns: False if there are too many.
    func add() -> Bool { count.add(1, ordering: .relaxed).newValue <= EventCascade.limit }
}
