import ComponentKit
import Routing

/// The routes of a host: those that manifests declare, and what the program adds to them while it runs.
final class RouteRegistry: Sendable {
    let snapshot: Snapshot<RouteDirectory>
    private let contents: Lock<Contents>

    /// What the snapshot is made from.
    fileprivate struct Contents {
        var declared: DeclaredRoutes
        var handlers: [UInt64: Handler] = [:]
        var interceptors: [RouteInterceptor] = []
        var redirects: RouteTable<RoutePattern>
        var unhandled: LinkObject?
        var table: RouteTable<RouteTarget>
        /// Whether the host has stopped, so that closures are not kept any more.
        var isOver = false
        /// The last number that was given to a route or an interceptor.
        var number: UInt64 = 0
    }

    fileprivate struct Handler {
        let pattern: RoutePattern
        let target: RouteTarget
        /// Nil while a component declares the same route.
        var identity: RouteIdentity?
    }

    init(_ options: RoutingOptions) {
        let declared = DeclaredRoutes([], options: options)
        let contents = Contents(
            declared: declared, redirects: RouteTable(options: options), table: declared.table)
        snapshot = Snapshot(contents.directory)
        self.contents = Lock(contents)
    }

    /// Reads the declarations of the components.
    func replace(_ units: [ComponentUnit]) {
        change { contents in
            contents.declared = DeclaredRoutes(units, options: contents.table.options)
            contents.rebuild()
        }
    }

    /// Adds a route of the program's own.
    ///
    /// - Returns: The number that removes it.
    /// - Throws: `RouteConflict` if there is such a route; `LinkError` with code `stopped` once the host has stopped.
    func add(_ pattern: RoutePattern, _ target: RouteTarget) throws -> UInt64 {
        try change { contents in
            contents.number += 1
            guard !contents.isOver else { throw LinkError(.stopped) }
            let identity = try contents.table.add(pattern, priority: target.priority, target)
            contents.handlers[contents.number] = Handler(pattern: pattern, target: target, identity: identity)
            return contents.number
        }
    }

    /// Removes a route of the program's own; no effect if it has been removed.
    func removeRoute(_ number: UInt64) {
        // The closure is released outside the lock.
        let removed: Handler? = change { contents in
            guard let handler = contents.handlers.removeValue(forKey: number) else { return nil }
            if contents.table.options.duplicates == .refused {
                if let identity = handler.identity { contents.table.remove(identity) }
            } else {
                // It may have replaced another one.
                contents.rebuild()
            }
            return handler
        }
        withExtendedLifetime(removed) {}
    }

    /// Adds an interceptor of the program's own.
    func add(_ make: (UInt64) -> RouteInterceptor) -> UInt64 {
        change { contents in
            contents.number += 1
            if !contents.isOver { contents.interceptors.append(make(contents.number)) }
            return contents.number
        }
    }

    func removeInterceptor(_ number: UInt64) {
        let removed: [RouteInterceptor] = change { contents in
            let removed = contents.interceptors.filter { $0.number == number }
            contents.interceptors.removeAll { $0.number == number }
            return removed
        }
        withExtendedLifetime(removed) {}
    }

    /// Replaces all redirects.
    func setRedirects(_ redirects: RouteTable<RoutePattern>) { change { $0.redirects = redirects } }

    /// Sets the closure for URLs that no route matches; nil for none.
    func setUnhandled(_ closure: LinkObject?) {
        let former = change { contents in
            let former = contents.unhandled
            contents.unhandled = contents.isOver ? nil : closure
            return former
        }
        withExtendedLifetime(former) {}
    }

    /// Releases the closures of the program, which hold the host. No more are added.
    func end() {
        let former = change { contents in
            let former = contents
            contents.isOver = true
            contents.handlers = [:]
            contents.interceptors = []
            contents.unhandled = nil
            contents.table = contents.declared.table
            return former
        }
        withExtendedLifetime(former) {}
    }

    /// Changes the contents and publishes them.
    private func change<Result, Failure>(
        _ body: (inout Contents) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // What is no longer used is released outside the lock.
        let (result, free) = try contents.withLock { contents throws(Failure) in
            let result = try body(&contents)
            return (result, snapshot.replace(with: contents.directory))
        }
        withExtendedLifetime(free) {}
        return result
    }
}

extension RouteRegistry.Contents {
    /// Builds the table again.
    ///
    /// What the program has added is kept, in the order in which it was added. A component may now declare the same
    /// route: then that of the component is used, and the other one again once the component is gone.
    fileprivate mutating func rebuild() {
        table = declared.table
        for number in handlers.keys.sorted() {
            guard let handler = handlers[number] else { continue }
            handlers[number]?.identity = try? table.add(
                handler.pattern, priority: handler.target.priority, handler.target)
        }
    }

    fileprivate var directory: RouteDirectory {
        let interceptors = (declared.interceptors + interceptors).enumerated()
            .sorted { ($1.element.priority, $0.offset) < ($0.element.priority, $1.offset) }.map(\.element)
        return RouteDirectory(
            table: table, interceptors: interceptors, redirects: redirects, unhandled: unhandled,
            refused: declared.refused)
    }
}
