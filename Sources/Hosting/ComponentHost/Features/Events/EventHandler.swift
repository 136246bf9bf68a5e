import CHSLink
import ComponentKit
import Synchronization
import SystemSupport

/// A handler of an event: a selector that a manifest declares, or a closure of the program.
final class EventHandler: Sendable {
    /// How it is called.
    enum Target: Sendable {
        case selector(ListedClass, String, SelectorKind)
        /// A closure, behind the gate that ends its runs.
        case closure(LinkObject, ClosureGate)
        /// What takes the event without running anyone's code.
        case sink(@Sendable (Payload) -> Void)
    }

    let target: Target
    /// The key of the event in the payload of the call.
    let parameter: String
    let loads: Bool
    /// Whether it may be called for several events at a time, in any order.
    let isConcurrent: Bool
    let priority: Int
    /// The number of what the program has added; 0 for a declared handler.
    let number: Int
    /// The line of the deliveries of its event.
    let line: EventLine
    /// What a handler and its successor have in common: the one that takes its place when its component is replaced.
    let identity: Identity
    /// The address of the ``MethodEntry``; 0 until the component is loaded.
    private let method = Atomic<UInt>(0)

    /// The key of the event in the payload of a closure's call.
    static let closureParameter = "event"

    /// Stands for a handler and its successors.
    final class Identity: Sendable {}

    /// - Parameter identity: that of the handler whose place it takes.
    init(
        _ target: Target, parameter: String, loads: Bool, isConcurrent: Bool, priority: Int, number: Int,
        line: EventLine, identity: Identity = Identity()
    ) {
        self.target = target
        self.parameter = parameter
        self.loads = loads
        self.isConcurrent = isConcurrent
        self.priority = priority
        self.number = number
        self.line = line
        self.identity = identity
    }

    /// What a declared handler is: a selector of a class of a component.
    struct Key: Hashable {
        let entry: ObjectIdentifier
        let selector: String
        let kind: SelectorKind
    }

    /// Nil for what the program has added.
    var key: Key? {
        guard case .selector(let listed, let selector, let kind) = target else { return nil }
        return Key(entry: ObjectIdentifier(listed.entry), selector: selector, kind: kind)
    }

    /// What a declared handler has in common with that of a later version of its component.
    struct Place: Hashable {
        let component: ExactText
        let className: ExactText
        let selector: ExactText
        let kind: SelectorKind
    }

    /// Nil for what the program has added.
    var place: Place? {
        guard case .selector(let listed, let selector, let kind) = target else { return nil }
        return Place(
            component: ExactText(listed.unit.name), className: ExactText(listed.entry.name),
            selector: ExactText(selector), kind: kind)
    }

    /// Its name in messages.
    var name: String {
        switch target {
        case .selector(let listed, let selector, _): "\(listed.entry.name).\(selector)"
        case .closure, .sink: "a closure of the program"
        }
    }

    /// The component; nil for what the program has added.
    var unit: ComponentUnit? {
        if case .selector(let listed, _, _) = target { listed.unit } else { nil }
    }

    /// The name of the component; empty for the program.
    var component: String { unit.map { $0.isHost ? "" : $0.name } ?? "" }

    /// Resolves the method, if the component is loaded, so that deliveries need no look-up by name.
    func bind() {
        guard case .selector(let listed, let selector, let kind) = target,
            let loaded = unsafe listed.entry.loadedClass,
            let entry = unsafe loaded._withUnsafeGuaranteedRef({ unsafe $0.find(selector, kind) })
        else { return }
        method.store(UInt(bitPattern: entry), ordering: .releasing)
    }

    /// Whether its component is loaded, so that events reach it.
    var isBound: Bool { method.load(ordering: .acquiring) != 0 }

    /// The method, if a call cannot block.
    var quickMethod: UnsafePointer<MethodEntry>? {
        guard let entry = unsafe UnsafePointer<MethodEntry>(bitPattern: method.load(ordering: .acquiring)),
            unsafe entry.pointee.runsWithoutBlocking(isUrgent: true)
        else { return nil }
        return unsafe entry
    }

    /// Calls the handler for the running code, the poster of the event; nil if its component is not loaded, or it has
    /// been removed.
    func begin(_ call: inout EventCall, _ core: HostCore) -> BegunCall? {
        // Not with ??, which takes nil for the payload null. The delivery has begun with strings within the limits.
        var carried: Payload?
        if case .success(let own) = Carried.ofRunningCode { carried = own }
        switch target {
        case .selector(let listed, let selector, let kind):
            if let entry = unsafe UnsafePointer<MethodEntry>(bitPattern: method.load(ordering: .acquiring)) {
                if unsafe entry.pointee.runsWithoutBlocking(isUrgent: true) {
                    let outer = EventFeature.enterDelivery(call.number)
                    defer { EventFeature.leaveDelivery(to: outer) }
                    return unsafe core.beginMethod(
                        entry, call.payload(for: parameter), mode: .onHostThread(call.deadline, callerSleeps: false),
                        from: nil, carried: carried)
                }
                return unsafe core.beginMethod(
                    entry, call.numberedPayload(for: parameter), mode: call.freshMode, from: nil, carried: carried)
            }
            guard loads || listed.unit.isHost else { return nil }
            return core.beginListed(
                listed, selector, kind: kind, payload: call.numberedPayload(for: parameter), mode: call.freshMode,
                from: nil, carried: carried)
        case .closure(let object, let gate):
            guard !gate.isClosed else { return nil }
            return core.begin(
                .object(object, selector: ""), call.numberedPayload(for: parameter), mode: call.freshMode, from: nil,
                carried: carried)
        case .sink(let take):
            take(call.event)
            return .ended(.success(.null))
        }
    }
}

/// What the handlers of one event are called with.
struct EventCall: Sendable {
    /// The value of the event.
    let event: Payload
    /// The number of the delivery.
    var number = 0
    /// How long each handler may take.
    private let timeout: Duration
    /// When all of them must have ended; nil for no limit.
    var end: Deadline?
    /// Whether the thread sleeps until each handler has ended.
    let callerSleeps: Bool
    /// The deadline of quick handlers, which take no time that counts.
    private(set) var deadline: Deadline
    /// The payloads of the last calls, which the next handler can often use, too.
    private var made: (parameter: String, payload: Payload)?
    private var numbered: (parameter: String, payload: Payload)?

    init(_ event: Payload, timeout: Duration, end: Deadline?, callerSleeps: Bool) {
        self.event = event
        self.timeout = timeout
        self.end = end
        self.callerSleeps = callerSleeps
        deadline = EventCall.deadline(after: timeout, noLaterThan: end)
    }

    /// How a handler that may take its time is called. The deadline counts from now.
    var freshMode: CallMode {
        mutating get {
            restart()
            return .onHostThread(deadline, callerSleeps: callerSleeps)
        }
    }

    /// Lets the time of the next handler count from now.
    mutating func restart() { deadline = EventCall.deadline(after: timeout, noLaterThan: end) }

    private static func deadline(after timeout: Duration, noLaterThan end: Deadline?) -> Deadline {
        let deadline = Deadline.after(timeout)
        if let end, end < deadline { return end }
        return deadline
    }

    /// The payload for a handler that runs on this thread, which knows the delivery.
    mutating func payload(for parameter: String) -> Payload {
        if let made, made.parameter == parameter { return made.payload }
        let payload = Payload.map([(parameter, event)])
        made = (parameter, payload)
        return payload
    }

    /// The payload for a handler that may run elsewhere, with the number of the delivery.
    mutating func numberedPayload(for parameter: String) -> Payload {
        if let numbered, numbered.parameter == parameter { return numbered.payload }
        let payload = Payload.map([(parameter, event), (__CurrentDelivery.key, Payload(number))])
        numbered = (parameter, payload)
        return payload
    }
}
