import CHSLink
import ComponentKit
import Synchronization

/// A handler of an event: a selector that a manifest declares, or a closure of the program.
final class EventHandler: Sendable {
    /// How it is called.
    enum Target: Sendable {
        case selector(ListedClass, String, SelectorKind)
        /// A closure, behind the gate that ends its runs.
        case closure(LinkObject, ClosureGate)
        /// What takes the event without running anybody's code.
        case sink(@Sendable (Payload) -> Void)
    }

    let target: Target
    /// The key of the event in the payload of the call.
    let parameter: String
    let loads: Bool
    let priority: Int
    /// The number of what the program has added; 0 for a declared handler.
    let number: Int
    /// The address of the ``MethodEntry``; 0 until the component is loaded.
    private let method = Atomic<UInt>(0)
    /// The number of the event in the host's life for which this handler's component is being loaded; 0 if there is
    /// none. It is not among those that the component missed.
    let awaited = Atomic<Int>(0)

    /// The key of the event in the payload of a closure's call.
    static let closureParameter = "event"

    init(_ target: Target, parameter: String, loads: Bool, priority: Int, number: Int) {
        self.target = target
        self.parameter = parameter
        self.loads = loads
        self.priority = priority
        self.number = number
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

    /// Whether its component is loaded and has received the events that it missed.
    var isBound: Bool { method.load(ordering: .acquiring) != 0 }

    /// Calls the handler; nil if its component is not loaded.
    ///
    /// - Parameter payload: makes the payload of the call for the key of the event.
    func begin(
        _ event: Payload, _ payload: (_ parameter: String) -> Payload, _ deadline: Deadline, _ core: HostCore
    ) -> BegunCall? {
        let mode = CallMode.onHostThread(deadline, callerSleeps: false)
        switch target {
        case .selector(let listed, let selector, let kind):
            if let entry = unsafe UnsafePointer<MethodEntry>(bitPattern: method.load(ordering: .acquiring)) {
                return unsafe core.beginCarrying(entry, payload(parameter), mode)
            }
            guard loads || listed.unit.isHost else { return nil }
            return core.begin(listed, selector, kind, payload(parameter), mode, from: nil, carried: nil)
        case .closure(let object, let gate):
            guard !gate.isClosed else { return nil }
            return core.begin(.object(object, selector: ""), payload(parameter), mode)
        case .sink(let take):
            take(event)
            return .ended(.success(.null))
        }
    }
}
