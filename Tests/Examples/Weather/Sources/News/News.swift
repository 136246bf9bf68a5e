import ComponentKit

/// What operators configure.
@Model struct NewsOptions: Sendable {
    /// The address that letters come from.
    var sender: String
    /// How many letters are sent in an hour.
    var hourly: Int = 100
    /// The password of the mail server.
    var password: Secret?
    /// A server between this one and the mail server.
    var proxy: Proxy?
}

/// A proxy server.
@Model struct Proxy: Sendable {
    var host: String
    var port: Int = 3128
}

/// Sends letters about the weather.
@Component(version: "1.0.0", configuration: NewsOptions.self)
final class News: Sendable {
    let options: Lock<NewsOptions>
    private let context: ComponentContext

    init(_ context: ComponentContext) throws {
        self.context = context
        options = Lock(try context.configuration.value())
        if context.environment != .prod { context.link.log(.info, "letters are not sent, only logged") }
    }

    /// Reads the new values.
    @On func configurationChanged(_ event: ConfigurationChanged) throws {
        guard event.components.contains(context.name) else { return }
        let changed: NewsOptions = try context.configuration.value()
        options.withLock { $0 = changed }
    }
}

/// Letters.
@LinkClass
final class LetterLink {
    private let context: ComponentContext

    init(_ context: ComponentContext) { self.context = context }

    private var options: NewsOptions? { (context.component as? News)?.options.withLock { $0 } }

    /// The head of a letter.
    @Selector func head() -> String { "From: \(options?.sender ?? "nobody")" }
}
