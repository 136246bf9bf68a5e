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

    /// Returns the event with the fewest typing errors relative to a name, of those that have the same part before the
    /// slash, or else the same word after it; nil if none is close. Names as a whole are long, so that others of the same
    /// component would seem close.
    package static func nearest(to name: String, in events: [String]) -> String? {
        guard let parts = EventRules.parts(name) else { return nil }
        let others = events.compactMap { event in
            EventRules.parts(event).map { (event, owner: $0.owner, word: $0.word) }
        }
        let siblings = others.filter { $0.owner == parts.owner }
        if let word = SimilarName.nearest(to: parts.word, in: siblings.map(\.word)) {
            return siblings.first { $0.word == word }?.0
        }
        let namesakes = others.filter { $0.word == parts.word }
        let owner = SimilarName.nearest(to: parts.owner, in: namesakes.map(\.owner))
        return namesakes.first { $0.owner == owner }?.0
    }

    /// Both sides of the slash; nil if there is none.
    private static func parts(_ event: String) -> (owner: String, word: String)? {
        let parts = event.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1).map {
            String(decoding: $0, as: UTF8.self)
        }
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }

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
