public import ComponentKit

/// A host's counts of some calls.
public struct CallCounters: Sendable, Hashable {
    /// How many calls have begun, including those that were refused.
    public internal(set) var calls = 0
    /// How many calls have failed, by the code of the error. Codes that this version does not know share one with the
    /// number -1.
    public internal(set) var failures: [LinkError.Code: Int] = [:]
    /// How long the calls have taken that have ended.
    public internal(set) var durations = DurationHistogram()
    /// How many calls have begun and not ended, at about the moment of the question.
    public internal(set) var inFlight = 0
    /// How many calls have ended, by a deadline, a cancellation or a reply, while their method is still running on a
    /// thread of the host.
    public internal(set) var stuck = 0
    /// How many replies had no receiver: second ones, and those after a deadline, a cancellation or a stop.
    public internal(set) var lateReplies = 0

    /// Creates counters of no calls.
    public init() {}

    /// How many calls have failed for any reason.
    public var failed: Int { failures.values.reduce(0, +) }

    /// Returns the counters of both.
    public static func + (first: CallCounters, second: CallCounters) -> CallCounters {
        var sum = first
        sum.calls += second.calls
        sum.failures.merge(second.failures, uniquingKeysWith: +)
        sum.durations = first.durations + second.durations
        sum.inFlight += second.inFlight
        sum.stuck += second.stuck
        sum.lateReplies += second.lateReplies
        return sum
    }
}

/// What a host has counted of the calls to one method.
public struct SelectorCounters: Sendable, Hashable {
    /// The component; "host" for the classes of the program and of the host itself, and empty for calls to classes that
    /// no component has.
    public let component: String
    /// The class; empty for calls to classes that no component has.
    public let className: String
    /// The selector; empty for calls to selectors that the class does not have. Callers choose such names, so they are
    /// not counted one by one.
    public let selector: String
    /// Whether it is a method of instances or of the class.
    public let kind: SelectorKind
    /// What has been counted.
    public let counters: CallCounters
}

extension HostCore {
    /// What has been counted of all methods that have been called, those with the most calls first.
    func sortedCounters() -> [SelectorCounters] {
        selectorCounters().sorted {
            let (first, second) = ($0.counters.calls, $1.counters.calls)
            return first != second ? first > second : $0.names.lexicographicallyPrecedes($1.names)
        }
    }
}

extension Sequence<SelectorCounters> {
    /// The counters of all methods of each component together, by the name of the component.
    public var totals: [String: CallCounters] {
        reduce(into: [:]) { totals, row in totals[row.component, default: CallCounters()] += row.counters }
    }
}

extension CallCounters {
    fileprivate static func += (sum: inout CallCounters, other: CallCounters) { sum = sum + other }
}

extension SelectorCounters {
    fileprivate var names: [String] { [component, className, selector, "\(kind)"] }
}
