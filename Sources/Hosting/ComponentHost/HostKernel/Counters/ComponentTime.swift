import ComponentKit

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

extension HostCore {
    /// Records how long `body` takes, if the options ask for that.
    func timed<Result, Failure: Error>(
        _ activity: @autoclosure () -> ComponentTime.Activity, of component: String,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard recordsTimes else { return try body() }
        let start = ContinuousClock.now
        defer { options.recordTime?(.now - start, activity(), component) }
        return try body()
    }
}
