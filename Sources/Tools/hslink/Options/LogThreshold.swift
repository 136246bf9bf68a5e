import ArgumentParser
import Logging

/// The lowest level of the host's log that is written.
enum LogThreshold: String, ExpressibleByArgument, CaseIterable {
    case trace, debug, info, notice, warning, error, critical

    /// The level with the same name.
    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .error }
}
