public import ComponentKit

/// What a host has counted of some calls.
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

extension LinkHost {
    /// What the host has counted of the calls to each method since it was made, those with the most calls first.
    /// Methods that have not been called are missing.
    ///
    ///     for row in host.counters {
    ///         let p99 = row.counters.durations.quantile(0.99)
    ///         print(row.component, row.className, row.selector, row.counters.calls, row.counters.failed, p99 ?? "-")
    ///     }
    ///     let lost = host.counters.first?.counters.failures[.deadlineExceeded] ?? 0
    ///
    /// Every call by name, bound call, call of an object or a closure, opened route and delivered event counts, of
    /// components and of the host's own code; calls that a component makes of objects directly, without its host, do not.
    /// A call of an object is in flight while it waits for its answer or a thread of the host carries it out, not while
    /// it runs on its caller's thread. The counters of a component go on when a rescan replaces it.
    /// Counting adds about 2 ns to a call; reading takes a moment for each thread, and waits for no call. May be called
    /// from any thread.
    public var counters: [SelectorCounters] { core.sortedCounters() }

    /// What the host has counted of the calls to all methods of a component together.
    ///
    ///     let video = host.counters(of: "ComponentVideo")
    ///     print(video.calls, video.failed, video.inFlight, video.stuck, video.lateReplies)
    ///
    /// - Parameter component: the name of a component. If none has it, or none of its methods has been called, all
    ///   numbers are 0.
    public func counters(of component: String) -> CallCounters { counters.totals[component] ?? CallCounters() }
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
