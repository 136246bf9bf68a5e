/// The rules for events and their handlers.
package enum EventRules {
    /// How names begin that belong to hosts. Components handle such events, and only hosts post them.
    package static let reservedPrefix = "hslink."

    /// Whether an event belongs to hosts. Asked for each event that is posted.
    package static func isReserved(_ event: String) -> Bool {
        // The first byte is different in most, and comparing it costs next to nothing.
        event.utf8.first == reservedPrefix.utf8.first && event.utf8.starts(with: reservedPrefix.utf8)
    }

    /// The events in the host's life of which a component that is loaded later needs only the latest.
    package static let latestOnly: Set<String> = ["hslink.host/configurationChanged"]

    /// The events of hosts that a component that is loaded later does not receive.
    package static let momentary: Set<String> = ["hslink.host/memoryPressure", "hslink.host/componentsChanged"]

    /// The names of the events that ComponentKit declares, by their types. ComponentKit is not part of a component's
    /// manifest, so a handler's type is looked up here if no model of the component has its name.
    package static let names: [String: String] = [
        "HostStarted": "hslink.host/started",
        "HostWillStop": "hslink.host/willStop",
        "HostStopped": "hslink.host/stopped",
        "ConfigurationChanged": "hslink.host/configurationChanged",
        "MemoryPressure": "hslink.host/memoryPressure",
        "ComponentsChanged": "hslink.host/componentsChanged",
        "URLOpened": "hslink.application/urlOpened",
        "ApplicationActivated": "hslink.application/activated",
        "ApplicationDeactivated": "hslink.application/deactivated",
        "ApplicationEnteredBackground": "hslink.application/enteredBackground",
        "ApplicationEnteredForeground": "hslink.application/enteredForeground",
        "NotificationReceived": "hslink.application/notificationReceived",
        "QuickActionSelected": "hslink.application/quickActionSelected",
        "UserActivityContinued": "hslink.application/userActivityContinued",
        "SessionRenewed": "org.hslink.session/renewed",
    ]
}
