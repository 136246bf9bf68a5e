import ComponentKit
import SystemSupport

/// An immutable snapshot of all handlers of a host's events. Replaced as a whole.
final class EventDirectory: Sendable {
    /// The handlers of each event, in the order in which they are called.
    private typealias List = (event: String, handlers: [EventHandler])

    /// The index of each event in the lists, plus one.
    private let table: NameTable
    /// Sorted by name; none is empty.
    private let lists: [List]

    /// - Parameter handlers: the handlers of each event, in an order that decides between equal priorities.
    convenience init(_ handlers: [String: [EventHandler]]) {
        self.init(
            handlers.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
                .map { ($0, EventDirectory.sorted($1)) })
    }

    /// - Parameter table: the indices, if they are known from lists with the same events.
    private init(_ lists: [List], _ table: NameTable? = nil) {
        self.lists = lists
        self.table = table ?? NameTable(lists.enumerated().map { ($1.event, UInt($0) + 1) })
    }

    /// Returns a directory with other handlers of one event. The others are not looked at.
    ///
    /// - Parameter handlers: in an order that decides between equal priorities.
    func replacing(_ event: String, with handlers: [EventHandler]) -> EventDirectory {
        var lists = lists
        let found = Int(table.find(event)) - 1
        if found >= 0, !handlers.isEmpty {
            lists[found].handlers = EventDirectory.sorted(handlers)
            return EventDirectory(lists, table)
        }
        if found >= 0 {
            lists.remove(at: found)
        } else if !handlers.isEmpty {
            let place = lists.firstIndex { $0.event > event } ?? lists.count
            lists.insert((event, EventDirectory.sorted(handlers)), at: place)
        }
        return EventDirectory(lists)
    }

    private static func sorted(_ handlers: [EventHandler]) -> [EventHandler] {
        handlers.enumerated().sorted { ($1.element.priority, $0.offset) < ($0.element.priority, $1.offset) }
            .map(\.element)
    }

    /// Returns the handlers of an event, in the order in which they are called.
    @inline(__always)
    func handlers(of event: borrowing String) -> [EventHandler] {
        let index = table.find(event)
        return index == 0 ? [] : lists[Int(index) - 1].handlers
    }

    /// Whether an event has a handler.
    @inline(__always)
    func hasHandlers(of event: borrowing String) -> Bool { table.find(event) != 0 }

    /// All handlers.
    var all: [EventHandler] { lists.flatMap(\.handlers) }
}

extension EventDirectory {
    /// Returns the handlers that components declare, of each event.
    ///
    /// - Parameters:
    ///   - units: the components in loading order.
    ///   - line: returns the line of an event.
    ///   - identity: returns that of a handler in the same place; nil if there was none.
    static func declared(
        _ units: [ComponentUnit], line: (_ event: String) -> EventLine,
        identity: (EventHandler.Place) -> EventHandler.Identity?
    ) -> [String: [EventHandler]] {
        var handlers: [String: [EventHandler]] = [:]
        for unit in units {
            for entry in unit.classEntries.sorted(by: { $0.name < $1.name }) {
                let selectors = entry.declaration.selectors.filter { $0.handles != nil }
                for selector in selectors.sorted(by: { $0.name < $1.name }) {
                    guard let handles = selector.handles else { continue }
                    let place = EventHandler.Place(
                        component: ExactText(unit.name), className: ExactText(entry.name),
                        selector: ExactText(selector.name), kind: selector.kind)
                    let handler = EventHandler(
                        .selector(ListedClass(entry: entry, unit: unit), selector.name, selector.kind),
                        parameter: selector.parameters.first?.name ?? EventHandler.closureParameter,
                        loads: handles.loads, isConcurrent: handles.isConcurrent, priority: handles.priority, number: 0,
                        line: line(handles.event), identity: identity(place) ?? EventHandler.Identity())
                    handlers[handles.event, default: []].append(handler)
                }
            }
        }
        return handlers
    }
}
