// Events in the life of a host, which the host posts. A component that is loaded later first receives those that it
// missed, except `MemoryPressure` and `ComponentsChanged`.

/// The host has started: the components that start with it are loaded.
public struct HostStarted: LinkEvent, Hashable {
    /// The name of the event.
    public static let eventName = "hslink.host/started"

    /// Creates the event.
    public init() {}

    /// An empty map.
    public var payload: Payload { [:] }

    /// Creates the event, whatever it carries.
    public init(payload: borrowing PayloadView) throws(PayloadError) {}
}

/// The host is about to stop. Components still answer calls.
public struct HostWillStop: LinkEvent, Hashable {
    /// The name of the event.
    public static let eventName = "hslink.host/willStop"

    /// Creates the event.
    public init() {}

    /// An empty map.
    public var payload: Payload { [:] }

    /// Creates the event, whatever it carries.
    public init(payload: borrowing PayloadView) throws(PayloadError) {}
}

/// The host has stopped its components. Only closures and streams of the program receive it.
public struct HostStopped: LinkEvent, Hashable {
    /// The name of the event.
    public static let eventName = "hslink.host/stopped"

    /// Creates the event.
    public init() {}

    /// An empty map.
    public var payload: Payload { [:] }

    /// Creates the event, whatever it carries.
    public init(payload: borrowing PayloadView) throws(PayloadError) {}
}

/// The configuration of components has changed: files were read again, and some values differ.
///
///     @On func configurationChanged(_ event: ConfigurationChanged) throws {
///         guard event.components.contains("ComponentImage") else { return }
///         options.withLock { … }   // from context.configuration.value()
///     }
public struct ConfigurationChanged: LinkEvent, Hashable {
    /// The name of the event.
    public static let eventName = "hslink.host/configurationChanged"

    /// The names of the components whose values have changed. A component that does not declare what it reads is
    /// included whenever it has a section and a file has changed.
    public var components: [String]

    /// - Parameter components: The names of the components whose values have changed.
    public init(components: [String]) { self.components = components }

    /// The event as a map.
    public var payload: Payload { ["components": components.payload] }

    /// Reads the event from a map.
    ///
    /// - Throws: ``PayloadError`` if a key is missing or its value does not fit.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        self.init(components: try payload.value("components"))
    }
}

/// Memory is running short: the kernel reports that tasks of the process's control group, or of the system, have waited
/// for memory. A host that has started posts this at most every two seconds; see `HostOptions.reportsMemoryPressure`.
/// Components that are loaded later do not receive it.
public struct MemoryPressure: LinkEvent, Hashable {
    /// The name of the event.
    public static let eventName = "hslink.host/memoryPressure"

    /// How much tasks wait.
    public enum Level: String, Sendable, Hashable, CaseIterable {
        /// Some tasks wait: release what can be made again.
        case some
        /// All tasks wait at times: release as much as possible.
        case full
    }

    /// How much tasks wait.
    public var level: Level

    /// - Parameter level: How much tasks wait.
    public init(level: Level) { self.level = level }

    /// The event as a map.
    public var payload: Payload { ["level": .string(level.rawValue)] }

    /// Reads the event from a map.
    ///
    /// - Throws: ``PayloadError`` if a key is missing or its value does not fit.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        let word: String = try payload.value("level")
        guard let level = Level(rawValue: word) else {
            throw PayloadError(path: ["level"], expected: #""some" or "full""#, found: "another word")
        }
        self.init(level: level)
    }
}

/// Components have appeared, vanished, been replaced, or can or cannot be used any more: the host has scanned its
/// directories again. A component that is loaded later does not receive it.
///
///     @On func componentsChanged(_ event: ComponentsChanged) { catalog.forget() }
public struct ComponentsChanged: LinkEvent, Hashable {
    /// The name of the event.
    public static let eventName = "hslink.host/componentsChanged"

    /// The names of the components, sorted, each once.
    public var components: [String]

    /// - Parameter components: The names of the components.
    public init(components: [String]) { self.components = components }

    /// The event as a map.
    public var payload: Payload { ["components": components.payload] }

    /// Reads the event from a map.
    ///
    /// - Throws: ``PayloadError`` if a key is missing or its value does not fit.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        self.init(components: try payload.value("components"))
    }
}
