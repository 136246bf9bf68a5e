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
    private let sessions: BrowserSessions?

    init(_ context: ComponentContext) throws {
        self.context = context
        let looks = LookKeeper(context.link)
        self.looks = looks
        let options: WebOptions = try context.configuration.value()
        try options.check()
        guard let port = options.port else {
            server = nil
            sessions = nil
            return
        }
        let (secret, ended) = try WebSecret.load(context)
        let keys = SessionKeys(secret: secret, password: options.password?.text)
        let sessions = BrowserSessions(keys, trusted: ended, isSecure: options.isSecure) { [link = context.link] in
            link.log($0, $1)
        }
        self.sessions = sessions
        let resources = WebResources(context.link)
        let embedded = options.embeddedOrigins.compactMap { WebOrigin($0) }
        let places = WebPlaces(
            version: { resources.version($0, $1) },
            // Pages are rendered for a session, which alone signs files.
            signature: { _, _ in "" }, embedded: Set(embedded), look: { looks.current })
        let renderer = PageRenderer(places: places)
        let hubs = PageHubs(
            context.link, places, keys: keys,
            streams: Shares(options.maximumStreams, ofSession: options.streamsPerSession))
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
            options: options, requestGuard: RequestGuard(options), sessions: sessions, gate: gate,
            pages: PageAnswers(
                hubs: hubs, renderer: renderer, sessions: sessions, options: options, notices: Notices(),
                post: { [events = context.events] in events.post($0) }),
            files: FileAnswers(link: context.link, resources: resources, keys: keys, looks: looks),
            programs: programs, health: HealthAnswers(link: context.link)
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

    /// A component has given the session of a browser a new id.
    @On(.concurrent) func sessionRenewed(_ event: SessionRenewed) { sessions?.noteRenewed() }

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

    /// Reads the secret and the ended sessions from the component's data directory, or makes a secret. A host that keeps no
    /// data has a new one each time, so that all sessions end with it.
    ///
    /// If the ended sessions cannot be read, the secret is made anew, too: some of its cookies would count again.
    static func load(_ context: ComponentContext) throws -> ([UInt8], EndedSessions) {
        guard let directory = try? context.dataDirectory() else { return (fresh(), EndedSessions()) }
        let (path, list) = ("\(directory)/secret", "\(directory)/ended")
        let now = Int(Date.now.timeIntervalSince1970)
        if let data = FileManager.default.contents(atPath: path), data.count == size {
            do {
                return ([UInt8](data), try EndedSessions(file: list, now: now))
            } catch {
                context.link.log(.warning, "\(list) cannot be read, so everyone has to sign in again: \(error)")
            }
        }
        let secret = fresh()
        // The directory belongs to the host's user alone.
        try Data(secret).write(to: URL(filePath: path), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        // No cookie is left that any of them could have.
        try? FileManager.default.removeItem(atPath: list)
        return (secret, try EndedSessions(file: list, now: now))
    }

    private static func fresh() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }
}
