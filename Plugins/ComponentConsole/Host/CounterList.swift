import HostContract

extension CounterRow {
    /// The method, as in "VideoLink.probe", with a plus before a class method.
    var call: String {
        guard !`class`.isEmpty else { return "missing classes" }
        if selector.isEmpty {
            // The host counts calls of objects and closures together, under names that are no classes.
            switch `class` {
            case "object": return "objects"
            case "closure": return "closures"
            default: break
            }
        }
        return "\(kind == "class" ? "+" : "")\(`class`).\(selector.isEmpty ? "unknown selectors" : selector)"
    }

    /// What tells it from others.
    var identity: String { "\(component) \(call)" }

    /// The code of calls that their callers have given up, such as streams that a reader has closed. Nothing is wrong.
    private static let cancelledCode = "cancelled"

    /// How many calls have failed.
    var failed: Int { failures.reduce(0) { $1.key == CounterRow.cancelledCode ? $0 : $0 &+ $1.value } }

    /// How many calls their callers have given up.
    var cancelled: Int { failures[CounterRow.cancelledCode] ?? 0 }

    /// Why calls have failed, with the number of times, most frequent first: "method failed (2)".
    var failureTexts: [String] {
        failures.filter { $0.key != CounterRow.cancelledCode }
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key.asWords) (\($0.value))" }
    }

    /// Whether it is a method of the host's own classes, such as those that the console asks.
    var isOfHost: Bool { `class`.hasPrefix("hslink.") }
}

/// The counters that a page shows.
struct CounterList: WatchedState {
    var methods: [CounterRow]
    /// The components that work because pages are shown.
    var observers: Set<String>
    /// The methods that are called whenever pages are told to ask again.
    var handlers: [EventHandlerRow] = []

    /// The methods apart from those that are called because pages are shown.
    var others: [CounterRow] { parts.others }

    /// All methods, those that are called because pages are shown last.
    var othersFirst: [CounterRow] {
        let (others, forPages) = parts
        return others + forPages
    }

    private var parts: (others: [CounterRow], forPages: [CounterRow]) {
        let told = Set(handlers.map { [$0.component, $0.class, $0.selector] })
        var (others, forPages): ([CounterRow], [CounterRow]) = ([], [])
        for method in methods {
            let isForPages =
                observers.contains(method.component) || method.isOfHost
                || told.contains([method.component, method.class, method.selector])
            if isForPages { forPages.append(method) } else { others.append(method) }
        }
        return (others, forPages)
    }

    /// What is not among the others, in words.
    static let leftOut = "calls that are only made to show pages"

    var watched: CounterList { CounterList(methods: others, observers: observers, handlers: handlers) }
}

/// The sums of all counters.
struct CallFigures: Hashable, Sendable {
    var calls = 0
    var failed = 0
    var inFlight = 0
    var stuck = 0
    var late = 0

    init(_ methods: some Sequence<CounterRow>) {
        for method in methods {
            calls &+= method.calls
            failed &+= method.failed
            inFlight &+= method.inFlight
            stuck &+= method.stuck
            late &+= method.lateReplies
        }
    }
}
