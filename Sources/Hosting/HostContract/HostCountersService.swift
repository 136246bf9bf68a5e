public import ComponentKit

/// What a host has counted of calls: its class `hslink.Counters`.
///
/// All functions may be called from any thread, and load no component. They throw a `LinkError`.
@LinkService("org.hslink.host.counters/1", kind: .class)
public protocol HostCountersService: Sendable {
    /// Returns the counters of all methods that have been called, those with the most calls first.
    func all() throws -> CountedMethods

    /// Returns the same in the text format of Prometheus.
    func prometheus() throws -> MetricsText
}

/// The methods that a host has counted calls of.
@Model public struct CountedMethods: Hashable, Sendable {
    /// Those with the most calls come first.
    public var counters: [CounterRow]
}

/// What has been counted of the calls to a method.
@Model(.sparse) public struct CounterRow: Hashable, Sendable {
    /// The component; "host" for the classes of the program and of the host itself, and empty for calls to classes that
    /// no component has.
    public var component: String
    /// The class; empty for calls to classes that no component has, "object" for those of objects without a declared
    /// class, such as streams, and "closure" for those of closures.
    public var `class`: String
    /// The selector; empty for calls to selectors that the class does not have, and for those of objects and closures.
    public var selector: String
    /// "class" if the selector is called on the class.
    public var kind: String = "object"
    /// How many calls have begun, including those that were refused.
    public var calls: Int
    /// How many calls have failed, by the name of the error's code.
    public var failures: [String: Int]
    /// How many calls have begun and not ended.
    public var inFlight: Int
    /// How many calls have ended while their method is still running.
    public var stuck: Int
    /// How many replies had no receiver.
    public var lateReplies: Int
    /// How long calls have taken.
    public var durations: CallDurations
}

/// How long calls have taken, in seconds.
@Model(.sparse) public struct CallDurations: Hashable, Sendable {
    /// How many calls have been timed.
    public var calls: Int
    /// How long they have taken together.
    public var sum: Double
    /// What half of the calls do not exceed; nil without calls.
    public var p50: Double?
    /// What 90 of 100 calls do not exceed; nil without calls.
    public var p90: Double?
    /// What 99 of 100 calls do not exceed; nil without calls.
    public var p99: Double?
    /// How many calls have taken up to each of a row of bounds, ascending. Buckets without calls are left out.
    public var buckets: [DurationBucket]
}

/// How many calls have taken more than the bound before this one, and at most this one.
@Model(.sparse) public struct DurationBucket: Hashable, Sendable {
    /// The bound in seconds; nil for all longer calls.
    public var upTo: Double?
    /// How many calls.
    public var calls: Int
}

/// Metrics as text.
@Model public struct MetricsText: Hashable, Sendable {
    /// The media type.
    public var type: String
    /// The text, which ends with a line feed.
    public var text: String
}
