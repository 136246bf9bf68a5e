import ComponentKit

/// The last sticky event of each name, within limits: components choose the names and values, and the host keeps them
/// until it stops.
struct StickyEvents {
    /// An event that is kept, and the number of bytes that it counts as.
    struct Kept {
        let payload: Payload
        let size: Int
    }

    /// The largest number of names.
    static let maximumNames = 4096
    /// The largest size of one event, in bytes of memory.
    static let maximumSize = 4 << 20
    /// The largest size of all events together, in bytes of memory.
    static let maximumTotal = 64 << 20

    private var events: [String: Kept] = [:]
    private var total = 0

    /// The value of the last event with this name.
    subscript(event: String) -> Payload? { events[event]?.payload }

    /// Measures an event before it is kept. Call it without a lock: it visits the whole value.
    ///
    /// - Throws: `LinkError` with code `payloadMismatch` if the event is too large.
    static func measure(_ event: String, _ payload: Payload) throws(LinkError) -> Kept {
        let own = PayloadLimits.standard
        let limits = PayloadLimits(depth: own.depth, nodes: own.nodes, bytes: maximumSize)
        do throws(PayloadError) {
            return Kept(payload: payload, size: event.utf8.count + (try payload.memorySize(limits: limits)))
        } catch {
            throw LinkError(.payloadMismatch, message: "the sticky event \(event): \(error.text(root: nil))")
        }
    }

    /// Keeps an event as the last one of its name.
    ///
    /// - Returns: The former event, for its release outside of locks.
    /// - Throws: `LinkError` with code `methodFailed` if that would exceed a limit; nothing has changed then.
    mutating func keep(_ kept: Kept, as event: String) throws(LinkError) -> Kept? {
        let former = events[event]
        guard former != nil || events.count < StickyEvents.maximumNames else {
            throw LinkError(
                .methodFailed,
                message: "the sticky event \(event): the host keeps \(StickyEvents.maximumNames) of them already")
        }
        let newTotal = total - (former?.size ?? 0) + kept.size
        guard newTotal <= StickyEvents.maximumTotal else {
            throw LinkError(
                .methodFailed,
                message: "the sticky event \(event): the host keeps at most \(StickyEvents.maximumTotal >> 20) MB of "
                    + "them; this one has \(kept.size) bytes, and \(StickyEvents.maximumTotal - total) are free")
        }
        total = newTotal
        return events.updateValue(kept, forKey: event)
    }

    /// Takes a step back: the former event is the last one again, or none is.
    mutating func restore(_ former: Kept?, as event: String) {
        let kept = events.removeValue(forKey: event)
        total += (former?.size ?? 0) - (kept?.size ?? 0)
        if let former { events[event] = former }
    }
}
