import ComponentKit
import Foundation
import PageKit

/// Shows the pages of the host in browsers.
///
/// It does nothing until an operator configures a port:
///
/// ```json
/// {"ComponentWeb": {"port": 8080}}
/// ```
///
/// Then `http://localhost:8080/` shows the page "home", and each page follows what changes. Only programs on the same
/// machine reach it; any other address needs a password.
@Component(
    version: "1.0.0", layer: .common, posts: [PageEvent.self], starts: .withHost, configuration: WebOptions.self)
struct ComponentWeb {
    let server: WebServer?
    private let context: ComponentContext
    private let looks: LookKeeper

    init(_ context: ComponentContext) throws {
        self.context = context
        let looks = LookKeeper(context.link)
        self.looks = looks
        let options: WebOptions = try context.configuration.value()
        try options.check()
        guard let port = options.port else {
            server = nil
            return
        }
        let keys = SessionKeys(secret: try WebSecret.load(context), password: options.password?.text)
        let resources = WebResources(context.link)
        let embedded = options.embeddedOrigins.compactMap { WebOrigin($0) }
        let places = WebPlaces(
            version: { resources.version($0, $1) }, signature: { keys.signature(ofFile: $1, of: $0) },
            embedded: Set(embedded), look: { looks.current })
        let renderer = PageRenderer(places: places)
        let hubs = PageHubs(context.link, renderer, mostStreams: options.maximumStreams)
        let gate = options.password.flatMap { PasswordDigest($0.text) }.map { SignInGate($0) }
        let server = WebServer(hubs)
        let programs = options.programs.flatMap { ProgramAnswers(context.link, $0) }
        if let obstacle = programs?.obstacle {
            context.link.log(
                .warning,
                "programs.urls is on, but \(obstacle); 'hslink run --remote http' or RouteOptions.remoteSources allows it"
            )
        }
        let responder = WebResponder(
            options: options, requestGuard: RequestGuard(options), keys: keys, gate: gate,
            pages: PageAnswers(
                hubs: hubs, renderer: renderer, keys: keys, options: options, notices: Notices(),
                post: { [events = context.events] in events.post($0) }),
            files: FileAnswers(link: context.link, resources: resources, keys: keys, looks: looks),
            programs: programs
        ) { [link = context.link] level, message in link.log(level, message) }
        let link = context.link
        do {
            try server.start(options, port: port, responder: responder) { level, message in link.log(level, message) }
        } catch {
            server.close()
            throw error
        }
        self.server = server
    }

    /// Says that an operator has changed what is read at the start only.
    @On func configurationChanged(_ event: ConfigurationChanged) {
        guard event.components.contains(context.name) else { return }
        context.link.log(.warning, "restart the host to apply the new configuration")
    }

    /// The look may be that of another component now.
    @On func componentsChanged(_ event: ComponentsChanged) { looks.componentsChanged() }

    /// Ends streams, which could otherwise hold up the stop of the host for as long as they may take.
    @On func hostWillStop(_ event: HostWillStop) { server?.cancel() }

    func stopping() { server?.cancel() }

    func stop() { server?.close() }
}

/// What operators need in addition to the configuration.
@LinkClass("WebPagesLink")
final class WebPagesLink {
    private let server: WebServer?

    init(_ context: ComponentContext) { server = (context.component as? ComponentWeb)?.server }

    /// Returns the URL of the first page; nil if the web is off. The port may take a moment to open.
    @Selector func address() async throws -> String? {
        for _ in 0..<200 {
            if let address = server?.address { return address }
            guard server != nil else { return nil }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw LinkError(domain: "ComponentWeb", number: 4, message: "the port has not been opened; see the log")
    }

    /// Returns the hash of a password, for the option `password`. Takes a fraction of a second.
    @Selector static func hash(password: String) throws -> String { try PasswordDigest(of: password).description }

    /// Makes a token for programs, and its hash for the option `programs.token`.
    @Selector static func token() -> ProgramToken {
        let token = TokenDigest.newToken()
        return ProgramToken(token: token, hash: TokenDigest(of: token).description)
    }
}

/// A token for programs.
@Model
struct ProgramToken: Hashable, Sendable {
    /// The token that programs send, as in `Authorization: Bearer TOKEN`. It is not stored.
    var token: String
    /// The hash for the option `programs.token`.
    var hash: String
}

/// The secret that signs cookies.
enum WebSecret {
    private static let size = 32

    /// Reads the secret from the component's data directory, or makes it. A host that keeps no data has a new one each
    /// time, so that sessions end with it.
    static func load(_ context: ComponentContext) throws -> [UInt8] {
        guard let directory = try? context.dataDirectory() else { return fresh() }
        let path = "\(directory)/secret"
        if let data = FileManager.default.contents(atPath: path), data.count == size { return [UInt8](data) }
        let secret = fresh()
        // The directory belongs to the host's user alone.
        try Data(secret).write(to: URL(filePath: path), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return secret
    }

    private static func fresh() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }
}
