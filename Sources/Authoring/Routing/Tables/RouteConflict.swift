import Synchronization

/// Identifies a route of a table and of the table's copies. It never identifies another route, not even one that is
/// added to another copy.
public struct RouteIdentity: Hashable, Sendable {
    let slot: Int32
    let serial: UInt64

    private static let serials = Atomic<UInt64>(0)

    static func next(_ slot: Int32) -> RouteIdentity {
        RouteIdentity(slot: slot, serial: serials.add(1, ordering: .relaxed).newValue)
    }
}

/// The reason why a route was not added to a table.
public struct RouteConflict: Error, Sendable, CustomStringConvertible {
    /// What is wrong with the route.
    public enum Reason: Hashable, Sendable {
        /// The table has the same pattern with the same priority.
        case duplicate(of: RoutePattern, route: RouteIdentity)
        /// The pattern uses a type that ``RoutingOptions/converters`` does not have.
        case unknownType(String)
        /// The pattern begins with none of the ``RoutingOptions/sources``, and
        /// ``RoutingOptions/refusesOtherSources`` is set.
        case unknownSource
    }

    /// The pattern of the route.
    public let pattern: RoutePattern
    /// What is wrong with it.
    public let reason: Reason

    /// The reason as a sentence.
    public var description: String {
        switch reason {
        case .duplicate(let other, _):
            other.text == pattern.text
                ? "the table has a route for \"\(pattern)\" already"
                : "\"\(pattern)\" matches the same URLs as \"\(other)\""
        case .unknownType(let name): "\"\(pattern)\" has a placeholder of the unknown type \(name)"
        case .unknownSource: "\"\(pattern)\" does not begin with any of the sources that the table accepts"
        }
    }
}
