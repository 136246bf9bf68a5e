import ComponentKit

/// An immutable snapshot of all handlers of a host's events. Replaced as a whole.
final class EventDirectory: Sendable {
    private let table: NameTable
    /// The handlers of each event, in the order in which they are called.
    private let lists: [[EventHandler]]

    /// - Parameter handlers: the handlers of each event, in an order that decides between equal priorities.
    init(_ handlers: [String: [EventHandler]]) {
        let events = handlers.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
        table = NameTable(events.enumerated().map { ($1.key, UInt($0) + 1) })
        lists = events.map { _, handlers in
            handlers.enumerated().sorted { ($1.element.priority, $0.offset) < ($0.element.priority, $1.offset) }
                .map(\.element)
        }
    }

    /// Returns the handlers of an event, in the order in which they are called.
    @inline(__always)
    func handlers(of event: borrowing String) -> [EventHandler] {
        let index = table.find(event)
        return index == 0 ? [] : lists[Int(index) - 1]
    }

    /// Whether an event has a handler.
    @inline(__always)
    func hasHandlers(of event: borrowing String) -> Bool { table.find(event) != 0 }

    /// All handlers.
    var all: [EventHandler] { lists.flatMap(\.self) }
}

extension EventDirectory {
    /// Returns the handlers that components declare, of each event.
    ///
    /// - Parameter units: the components in loading order.
    static func declared(_ units: [ComponentUnit]) -> [String: [EventHandler]] {
        var handlers: [String: [EventHandler]] = [:]
        for unit in units {
            for entry in unit.classEntries.sorted(by: { $0.name < $1.name }) {
                let selectors = entry.declaration.selectors.filter { $0.handles != nil }
                for selector in selectors.sorted(by: { $0.name < $1.name }) {
                    guard let handles = selector.handles else { continue }
                    let handler = EventHandler(
                        .selector(ListedClass(entry: entry, unit: unit), selector.name, selector.kind),
                        parameter: selector.parameters.first?.name ?? EventHandler.closureParameter,
                        loads: handles.loads, priority: handles.priority, number: 0)
                    handlers[handles.event, default: []].append(handler)
                }
            }
        }
        return handlers
    }
}
