import ComponentKit

/// What operators configure. By default, the console shows the host and changes nothing.
@Model
struct ConsoleOptions: Hashable, Sendable {
    /// Whether people may call the methods of components.
    var calls: Bool = false
    /// Whether people may load components, retry those that failed, and rescan the directories.
    var changes: Bool = false
    /// How often the console looks for what has changed while a page of it is shown, in seconds.
    var interval: Double = 1
}

extension ConsoleOptions {
    /// Reads and checks the configuration.
    ///
    /// - Throws: an error that names the option.
    static func read(_ context: ComponentContext) throws -> ConsoleOptions {
        let options: ConsoleOptions = try context.configuration.value()
        guard (0.2...60).contains(options.interval) else {
            throw LinkError(
                domain: "ComponentConsole", number: 1,
                message: "interval: expected 0.2 to 60 seconds, found \(options.interval)")
        }
        return options
    }
}

/// The options that hold now.
final class ConsoleSettings: Sendable {
    private let current: Lock<ConsoleOptions>

    init(_ options: ConsoleOptions) { current = Lock(options) }

    var options: ConsoleOptions {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// - Throws: an error that says how an operator allows it.
    func expect(_ permission: Permission) throws(LinkError) {
        guard options.allows(permission) else {
            throw LinkError(domain: "ComponentConsole", number: 2, message: permission.refusal)
        }
    }
}

/// What is not allowed unless an operator says so.
enum Permission: String, CaseIterable, Sendable {
    case calls
    case changes

    /// What people read where they would find it.
    var refusal: String {
        let subject =
            switch self {
            case .calls: "Calls of methods"
            case .changes: "Changes to the host"
            }
        return "\(subject) are not allowed here. To allow them, start the host with "
            + "--set ComponentConsole.\(rawValue)=true, or set that in its configuration."
    }
}

extension ConsoleOptions {
    func allows(_ permission: Permission) -> Bool {
        switch permission {
        case .calls: calls
        case .changes: changes
        }
    }
}
