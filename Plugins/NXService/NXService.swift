import ComponentKit
import NXServiceContract

/// What operators configure.
@Model
struct WebOptions: Sendable {
    /// Whether nothing is fetched, and only kept documents are given. A change takes effect at once, as one of `timeout`
    /// does; the others wait for the next start.
    var offline: Bool = false
    /// How long it may take to connect, in seconds.
    var connectTimeout: Double = 5
    /// How long a whole exchange may take, with redirects, in seconds.
    var timeout: Double = 30
    /// The largest document and the largest body of a request or an answer, in bytes.
    var maximumBytes: Int = 16_777_216
    /// Whether requests may go to this machine and to private networks, redirects included.
    var privateAddresses: Bool = true
    /// The space for kept documents, in bytes; 0 keeps none.
    var keptBytes: Int = 67_108_864
}

extension WebOptions {
    /// Checks the ranges.
    ///
    /// - Throws: an error that names the option.
    func check() throws(LinkError) {
        try WebOptions.check("connectTimeout", connectTimeout, in: 0.001...3600)
        try WebOptions.check("timeout", timeout, in: 0.001...3600)
        try WebOptions.check("maximumBytes", maximumBytes, in: 1...67_108_864)
        try WebOptions.check("keptBytes", keptBytes, in: 0...1_099_511_627_776)
    }

    private static func check<Value>(_ name: String, _ value: Value, in range: ClosedRange<Value>) throws(LinkError) {
        guard !range.contains(value) else { return }
        throw LinkError(
            domain: "NXService", number: 1,
            message: "\(name): expected \(range.lowerBound) to \(range.upperBound), found \(value)")
    }
}

/// The services of others, each wrapped in one of ours: here HTTP, by AsyncHTTPClient.
///
/// It has the only HTTP client of the program, so limits, timeouts and what happens without a network are decided in
/// one place. Documents are kept in the component's cache directory.
@Component(version: "1.0.0", layer: .common, configuration: WebOptions.self)
struct NXService {
    let web: WebClient
    private let context: ComponentContext

    init(_ context: ComponentContext) throws {
        self.context = context
        let options: WebOptions = try context.configuration.value()
        try options.check()
        web = WebClient(options, kept: KeptDocuments(limit: options.keptBytes) { try context.cacheDirectory() })
    }

    /// Uses what may change while exchanges are under way.
    @On func configurationChanged(_ event: ConfigurationChanged) throws {
        guard event.components.contains(context.name) else { return }
        let options: WebOptions = try context.configuration.value()
        try options.check()
        web.use(options)
    }

    /// Ends exchanges, which could otherwise hold up the stop of the host for as long as they may take.
    @On func willStop(_ event: HostWillStop) { web.cancel() }

    func stopping() { web.cancel() }

    func stop() { web.close() }
}

/// Documents from the web, and requests of other kinds.
@LinkClass("WebLink", provides: (any WebService).self)
final class WebLink: WebService {
    private let web: WebClient

    init(_ context: ComponentContext) throws {
        guard let component = context.component as? NXService else {
            throw LinkError(.stopped, message: "NXService has been stopped")
        }
        web = component.web
    }

    func get(url: String, maximumBytes: Int?) async throws -> WebDocument {
        try await web.get(url, maximumBytes: maximumBytes)
    }

    func send(_ request: WebRequest) async throws -> WebAnswer { try await web.send(request) }
}
