import ComponentKit

/// What the component reads from its configuration, for tests: a field of every form.
@Model
struct FixtureOptions: Equatable, Sendable {
    @Model
    struct Proxy: Equatable, Sendable {
        var host: String
        var port: UInt16 = 8080
    }

    @Model
    struct Cache: Equatable, Sendable {
        var size: Int = 10
        var names: [String] = ["a"]
    }

    @Model
    enum Level: String, Equatable, Sendable { case low, high }

    var timeout: Double = 30
    var retries: Int = 3
    var verbose: Bool = false
    var mirrors: [String] = []
    var weights: [Double] = []
    var level: Level = .low
    var key: [UInt8]?
    var token: Secret?
    var proxy: Proxy?
    var cache: Cache
}

/// Reads the component's configuration in every way, for tests.
@LinkClass
final class ConfiguredLink {
    private let context: ComponentContext
    private let changes = Lock<[[String]]>([])

    init(_ context: ComponentContext) { self.context = context }

    @Selector func options() throws -> FixtureOptions { try context.configuration.value() }
    @Selector func environment() -> String { context.environment.rawValue }
    @Selector func string(key: String) throws -> String? { try context.configuration.string(key) }
    @Selector func int(key: String) throws -> Int? { try context.configuration.int(key) }
    @Selector func strings(key: String) throws -> [String]? { try context.configuration.strings(key) }
    @Selector func changed() -> [[String]] { changes.withLock { $0 } }

    @On func configurationChanged(_ event: ConfigurationChanged) { changes.withLock { $0.append(event.components) } }
}
