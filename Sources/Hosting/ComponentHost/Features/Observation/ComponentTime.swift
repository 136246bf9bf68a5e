import ComponentKit
import Synchronization

/// How long a component has taken for something that it does again and again, or once.
public struct ComponentTime: Sendable, Hashable {
    /// What took the time.
    public enum Activity: Sendable, Hashable {
        /// Loading and starting the component, without what it requires.
        case start
        /// Handling an event, by its name.
        case event(String)
        /// Stopping the component.
        case stop
    }

    /// The component; empty for closures of the program.
    public let component: String
    /// What took the time.
    public let activity: Activity
    /// How often it was done.
    public internal(set) var count = 0
    /// The time that all took together.
    public internal(set) var total = Duration.zero
    /// The time that the slowest took.
    public internal(set) var longest = Duration.zero
}

extension ComponentTime.Activity: CustomStringConvertible {
    /// "start", "stop", or the name of the event.
    public var description: String {
        switch self {
        case .start: "start"
        case .event(let name): name
        case .stop: "stop"
        }
    }
}

/// The times that a host records, if its options ask for that.
final class TimeRecorder: Sendable {
    private struct Key: Hashable {
        let component: String
        let activity: ComponentTime.Activity
    }

    private let times = Lock<[Key: ComponentTime]>([:])

    func add(_ duration: Duration, _ activity: ComponentTime.Activity, of component: String) {
        times.withLock { times in
            let key = Key(component: component, activity: activity)
            var time = times[key] ?? ComponentTime(component: component, activity: activity)
            time.count += 1
            time.total += duration
            time.longest = max(time.longest, duration)
            times[key] = time
        }
    }

    /// All times, those with the longest total first.
    var all: [ComponentTime] {
        times.withLock { Array($0.values) }.sorted {
            ($1.total, $0.component, $0.activity.description) < ($0.total, $1.component, $1.activity.description)
        }
    }
}

extension HostCore {
    /// Records how long `body` takes, if the options ask for that.
    func timed<Result, Failure: Error>(
        _ activity: @autoclosure () -> ComponentTime.Activity, of component: String,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let times else { return try body() }
        let start = ContinuousClock.now
        defer { times.add(.now - start, activity(), of: component) }
        return try body()
    }
}
