import ComponentKit

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
