// Events in the life of an interactive application. The host program posts them.

/// The application was asked to open a URL.
public struct URLOpened: LinkEvent, Hashable {
    /// The name of the event.
    public static let eventName = "hslink.application/urlOpened"

    /// The URL.
    public var url: String

    /// - Parameter url: The URL.
    public init(url: String) {
        self.url = url
    }

    /// The event as a map.
    public var payload: Payload { ["url": .string(url)] }

    /// Reads the event from a map.
    ///
    /// - Throws: ``PayloadError`` if a key is missing or its value does not fit.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        self.init(url: try payload.value("url"))
    }
}

/// The user has begun to interact with the application.
public struct ApplicationActivated: LinkEvent, Hashable {
    /// The name of the event.
    public static let eventName = "hslink.application/activated"

    /// Creates the event.
    public init() {}

    /// An empty map.
    public var payload: Payload { [:] }

    /// Creates the event, whatever it carries.
    public init(payload: borrowing PayloadView) throws(PayloadError) {}
}

/// The user interacts with something else.
public struct ApplicationDeactivated: LinkEvent, Hashable {
    /// The name of the event.
    public static let eventName = "hslink.application/deactivated"

    /// Creates the event.
    public init() {}

    /// An empty map.
    public var payload: Payload { [:] }

    /// Creates the event, whatever it carries.
    public init(payload: borrowing PayloadView) throws(PayloadError) {}
}

/// The application is no longer visible.
public struct ApplicationEnteredBackground: LinkEvent, Hashable {
    /// The name of the event.
    public static let eventName = "hslink.application/enteredBackground"

    /// Creates the event.
    public init() {}

    /// An empty map.
    public var payload: Payload { [:] }

    /// Creates the event, whatever it carries.
    public init(payload: borrowing PayloadView) throws(PayloadError) {}
}

/// The application is visible again.
public struct ApplicationEnteredForeground: LinkEvent, Hashable {
    /// The name of the event.
    public static let eventName = "hslink.application/enteredForeground"

    /// Creates the event.
    public init() {}

    /// An empty map.
    public var payload: Payload { [:] }

    /// Creates the event, whatever it carries.
    public init(payload: borrowing PayloadView) throws(PayloadError) {}
}

/// The application has received a notification.
public struct NotificationReceived: LinkEvent, Hashable {
    /// The name of the event.
    public static let eventName = "hslink.application/notificationReceived"

    /// The content of the notification.
    public var content: Payload

    /// Whether the user has selected it.
    public var isSelected: Bool

    /// - Parameters:
    ///   - content: The content of the notification.
    ///   - isSelected: Whether the user has selected it.
    public init(content: Payload = .null, isSelected: Bool = false) {
        self.content = content
        self.isSelected = isSelected
    }

    /// The event as a map.
    public var payload: Payload { ["content": content, "isSelected": .bool(isSelected)] }

    /// Reads the event from a map.
    ///
    /// - Throws: ``PayloadError`` if a key is missing or its value does not fit.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        self.init(
            content: try payload.valueIfPresent("content") ?? .null,
            isSelected: try payload.valueIfPresent("isSelected") ?? false)
    }
}

/// The user has selected a quick action, such as an entry of a launcher's menu.
public struct QuickActionSelected: LinkEvent, Hashable {
    /// The name of the event.
    public static let eventName = "hslink.application/quickActionSelected"

    /// The name of the action.
    public var name: String

    /// - Parameter name: The name of the action.
    public init(name: String) {
        self.name = name
    }

    /// The event as a map.
    public var payload: Payload { ["name": .string(name)] }

    /// Reads the event from a map.
    ///
    /// - Throws: ``PayloadError`` if a key is missing or its value does not fit.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        self.init(name: try payload.value("name"))
    }
}

/// The user continues an activity from another device or program.
public struct UserActivityContinued: LinkEvent, Hashable {
    /// The name of the event.
    public static let eventName = "hslink.application/userActivityContinued"

    /// The type of the activity.
    public var type: String

    /// The content of the activity.
    public var content: Payload

    /// - Parameters:
    ///   - type: The type of the activity.
    ///   - content: The content of the activity.
    public init(type: String, content: Payload = .null) {
        self.type = type
        self.content = content
    }

    /// The event as a map.
    public var payload: Payload { ["type": .string(type), "content": content] }

    /// Reads the event from a map.
    ///
    /// - Throws: ``PayloadError`` if a key is missing or its value does not fit.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        self.init(type: try payload.value("type"), content: try payload.valueIfPresent("content") ?? .null)
    }
}
