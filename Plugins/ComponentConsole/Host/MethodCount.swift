import ComponentKit

/// What the host has counted of the calls to a method.
struct MethodCount: Hashable, Sendable {
    /// How many calls took up to a bound.
    struct Bucket: Hashable, Sendable {
        /// The bound in seconds; nil for all that took longer.
        var bound: Double?
        var calls: Int
    }

    var component: String
    /// The method, as in "VideoLink.probe", with a plus before a class method.
    var call: String
    var calls: Int
    /// The number of failures by the names of their codes, most frequent first.
    var failures: [Failures]
    var inFlight: Int
    var stuck: Int
    var late: Int
    /// Half of the calls, and 99 of 100, took at most so many seconds; nil if none has ended.
    var median: Double?
    var slow: Double?
    var buckets: [Bucket]

    struct Failures: Hashable, Sendable {
        var code: String
        var count: Int
    }

    init(_ answer: Payload) {
        component = answer.text("component")
        let (name, selector) = (answer.text("class"), answer.text("selector"))
        let method = selector.isEmpty ? "unknown selectors" : selector
        call = name.isEmpty ? "missing classes" : "\(answer.text("kind") == "class" ? "+" : "")\(name).\(method)"
        calls = answer.number("calls")
        failures = answer.members("failures").map { Failures(code: $0.key, count: (try? $0.value.int()) ?? 0) }
            .sorted { ($1.count, $0.code) < ($0.count, $1.code) }
        inFlight = answer.number("inFlight")
        stuck = answer.number("stuck")
        late = answer.number("lateReplies")
        let durations = answer["durations"] ?? .null
        median = durations.amount("p50")
        slow = durations.amount("p99")
        buckets = durations.list("buckets").map { Bucket(bound: $0.amount("upTo"), calls: $0.number("calls")) }
    }

    /// What tells it from others.
    var identity: String { "\(component) \(call)" }

    /// How many calls have failed.
    var failed: Int { failures.reduce(0) { $0 &+ $1.count } }

    /// Whether it is a method of the host's own classes, such as those that the console asks.
    var isOfHost: Bool { call.hasPrefix("hslink.") || call.hasPrefix("+hslink.") }
}

/// The counters that a page shows.
struct CounterList: WatchedState {
    var methods: [MethodCount]
    /// The components that work because pages are shown.
    var observers: Set<String>

    /// The methods apart from those that are called because pages are shown.
    var others: [MethodCount] { methods.filter { !isForPages($0) } }

    /// All methods, those that are called because pages are shown last.
    var othersFirst: [MethodCount] { others + methods.filter(isForPages) }

    private func isForPages(_ method: MethodCount) -> Bool {
        observers.contains(method.component) || method.isOfHost
    }

    /// What is not among the others, in words.
    static let leftOut = "calls of the host's own classes, and of the components that show pages"

    var watched: CounterList { CounterList(methods: others, observers: observers) }
}

/// The sums of all counters.
struct CallFigures: Hashable, Sendable {
    var calls = 0
    var failed = 0
    var inFlight = 0
    var stuck = 0
    var late = 0

    init(_ methods: some Sequence<MethodCount>) {
        for method in methods {
            calls &+= method.calls
            failed &+= method.failed
            inFlight &+= method.inFlight
            stuck &+= method.stuck
            late &+= method.late
        }
    }
}
