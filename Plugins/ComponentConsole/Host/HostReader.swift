import ComponentKit
import HostContract
import NXKit
import PageKit

/// Asks the host what the console shows: its services, and where a URL leads.
struct HostReader: Sendable {
    /// The name of the console's own component.
    let ownName: String
    private let link: Link
    private let hosts: ServiceFinder<HostServiceClient>
    private let pageServices: ServiceFinder<PageServiceClient>

    init(_ context: ComponentContext) {
        ownName = context.name
        link = context.link
        hosts = ServiceFinder(context.link)
        pageServices = ServiceFinder(context.link)
    }

    /// The host's own service.
    func service() async throws(LinkError) -> HostServiceClient { try await hosts.client() }

    /// The names of the components, each once. Blocks, so it does not depend on how busy Swift's thread pool is.
    func componentNames() throws -> [String] {
        let contents: HostContents = try link.callAndWait("hslink.Host", "contents").value()
        var names: Set<String> = []
        return contents.components.map(\.name).filter { names.insert($0).inserted }
    }

    /// Whether a page with this id is shown.
    func hasPage(_ id: String) async -> Bool {
        let pages = try? await pageServices.client().pages()
        // A page whose file cannot be read has no title.
        return pages?.contains { $0.id == id && !$0.title.isEmpty } ?? false
    }

    /// Everything that a component declares; nil if there is no such component.
    func details(of component: String) async throws -> ComponentDetails? {
        do {
            return try await service().component(name: component)
        } catch let error as LinkError where error.code == .classNotFound {
            return nil
        }
    }

    /// The components that work because pages are shown: the console itself, and those that compose pages. What they do
    /// is not news for the pages of the console.
    func observers() -> Set<String> { Set(link.providers(of: PageServiceClient.self) + [ownName]) }

    // MARK: - The host's classes

    /// The routes that the host uses, and those that it refuses.
    func routes() async throws -> RouteList { try await link.service(HostRoutesServiceClient.self).routes() }

    /// Which routes match a URL, and why others do not.
    func answer(to question: RouteQuestion) async throws(LinkError) -> RouteAnswer {
        var payload: [(String, Payload)] = [("url", .string(question.url))]
        if question.isFromOutside { payload.append(("source", .string(RouteQuestion.source))) }
        return RouteAnswer(try await link.call("hslink.Routes", "explain", .map(payload), kind: .class))
    }

    /// The events that components post or handle.
    func events() async throws -> [EventRow] {
        try await link.service(HostEventsServiceClient.self).events().events
    }

    /// The page modules that components offer.
    func pageModules() async throws -> [PageModuleRow] {
        try await link.service(HostPagesServiceClient.self).modules().modules
    }

    /// What the host has counted of calls, methods with the most calls first.
    func counters() async throws -> CounterList {
        let changes = try await events().first { $0.name == PageModuleChanged.eventName }
        return CounterList(
            methods: try await link.service(HostCountersServiceClient.self).all().counters, observers: observers(),
            handlers: changes?.handlers ?? [])
    }

    /// The configuration of a component; nil if the host has none for it.
    func configuration(of component: String) async throws -> ConfigurationSectionRow? {
        try await link.service(HostConfigurationServiceClient.self).sections().sections
            .first { $0.component == component }
    }
}

// Manifests and explanations are read as far as they can be: a host of another version may answer more or less.
extension Payload {
    /// The text of a key; empty if there is none.
    func text(_ key: String) -> String { (try? self[key]?.string()) ?? "" }

    /// Whether the value of a key is true.
    func flag(_ key: String) -> Bool { (try? self[key]?.bool()) ?? false }

    /// The integer of a key; 0 if there is none.
    func number(_ key: String) -> Int { (try? self[key]?.int()) ?? 0 }

    /// The items of a key; empty if there are none.
    func list(_ key: String) -> [Payload] { (try? self[key]?.items()) ?? [] }

    /// The texts among the items of a key.
    func texts(_ key: String) -> [String] { list(key).compactMap { try? $0.string() } }

    /// The entries of a key; empty if there are none.
    func members(_ key: String) -> [(key: String, value: Payload)] { (try? self[key]?.entries()) ?? [] }
}
