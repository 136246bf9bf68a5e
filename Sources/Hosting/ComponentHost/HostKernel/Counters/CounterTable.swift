import ComponentKit
import Synchronization

/// The counters of a host, by the names of methods.
final class CounterTable: Sendable {
    private let rows = Lock<[MethodCounters.Key: MethodCounters]>([:])
    /// Counts the calls to classes that no component has.
    let missing: MethodCounters

    init() {
        let key = MethodCounters.Key(component: "", className: "", selector: "", kind: .object)
        missing = MethodCounters(key)
        rows.withLock { $0[key] = missing }
    }

    /// Returns the counters of a method, which live as long as the table.
    ///
    /// - Parameter selector: empty for all selectors that the class does not have.
    func row(of component: String, className: String, selector: String, kind: SelectorKind) -> MethodCounters {
        let key = MethodCounters.Key(component: component, className: className, selector: selector, kind: kind)
        return rows.withLock { rows in
            if let row = rows[key] { return row }
            let row = MethodCounters(key)
            rows[key] = row
            return row
        }
    }

    /// Returns the counters of a method of a class that is not in memory.
    func row(of listed: ListedClass, selector: String, kind: SelectorKind) -> MethodCounters {
        let isDeclared = listed.entry.declaration.selector(selector, kind) != nil
        return row(
            of: listed.unit.name, className: listed.entry.name, selector: isDeclared ? selector : "",
            kind: isDeclared ? kind : .object)
    }

    var all: [MethodCounters] { rows.withLock { Array($0.values) } }

    /// The number of replies to calls of each component's methods that no caller received.
    var lateReplies: [String: Int] {
        all.reduce(into: [:]) { $0[$1.key.component, default: 0] += $1.ledger.lateReplies }
    }

    /// Returns the component whose calls a ledger counts; nil if it does not belong to this host.
    func component(ofLedger index: UInt16) -> String? {
        index == 0 ? nil : all.first { $0.ledger.index == index }?.key.component
    }
}

extension HostCore {
    /// What has been counted of all methods that have been called, in no order.
    func selectorCounters() -> [SelectorCounters] {
        let rows = engine.counters.all
        let units = registry.all
        // Read before `inside`: a call that begins meanwhile is missing rather than counted twice.
        let components = units.compactMap(\.resident)
        let running = methodsInPlace(of: components)
        var open = engine.ownOpenCalls.counts
        for unit in units { open.merge(unit.openCalls.counts, uniquingKeysWith: +) }
        var stuck: [ObjectIdentifier: Int] = [:]
        for limiter in units.map(\.limiter) + engine.ownLimiters {
            for call in limiter.stuckCalls {
                // The innermost method is the one that hangs.
                let method = unsafe call.thread?.runningCalls.last.flatMap { unsafe entry(of: $0, among: components) }
                let counters = unsafe method.map { unsafe $0.pointee.counters.takeUnretainedValue() } ?? call.counters
                stuck[ObjectIdentifier(counters), default: 0] += 1
            }
        }
        return zip(rows, CellRegistry.sums(of: rows.map(\.number))).compactMap { row, sum in
            let identity = ObjectIdentifier(row)
            var counters = CallCounters()
            counters.calls = Int(clamping: sum &- row.base)
            guard counters.calls > 0 else { return nil }
            counters.failures = row.failures
            counters.durations = row.durations
            let inPlace = max((running[identity] ?? 0) - row.inside.load(ordering: .relaxed), 0)
            counters.inFlight = inPlace + (open[identity] ?? 0)
            counters.stuck = stuck[identity] ?? 0
            counters.lateReplies = row.ledger.index == 0 ? 0 : row.ledger.lateReplies
            return SelectorCounters(
                component: row.key.component, className: row.key.className, selector: row.key.selector,
                kind: row.key.kind, counters: counters)
        }
    }

    /// Returns how many threads run each method of this host.
    private func methodsInPlace(of components: [LoadedComponent]) -> [ObjectIdentifier: Int] {
        var counts: [ObjectIdentifier: Int] = [:]
        for (_, call) in ThreadContext.runningCalls() {
            guard let entry = unsafe entry(of: call, among: components) else { continue }
            unsafe counts[ObjectIdentifier(entry.pointee.counters.takeUnretainedValue()), default: 0] += 1
        }
        return counts
    }

    /// Returns the method of a call that a thread is running; nil if it is not one of these components: another host's
    /// may end at any time.
    private func entry(
        of call: ThreadContext.RunningCall, among components: [LoadedComponent]
    ) -> UnsafePointer<MethodEntry>? {
        let component = components.first { unsafe $0.runState.identity == call.component }
        return unsafe component?.classes.first { $0.methodAddresses.contains(call.method) }
            .flatMap { _ in unsafe UnsafePointer(bitPattern: call.method) }
    }

    /// Returns the innermost of the quick methods that a thread is running: if it blocks, the one to blame, whichever
    /// method was called first.
    ///
    /// - Returns: The names of the class and the selector; nil if the thread runs no quick method of this host.
    func innermostQuickMethod(on thread: ThreadContext) -> (className: String, selector: String)? {
        let components = registry.all.compactMap(\.resident)
        for call in thread.runningCalls.reversed() {
            guard let entry = unsafe entry(of: call, among: components), unsafe entry.pointee.isQuick else { continue }
            return unsafe (entry.pointee.className, entry.pointee.selector)
        }
        return nil
    }
}
