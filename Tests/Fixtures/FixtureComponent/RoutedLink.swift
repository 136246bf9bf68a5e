import ComponentKit
import Synchronization

/// A class whose methods are opened by URLs.
@LinkClass
final class RoutedLink {
    private let isSignedIn = Atomic(false)
    private let context: ComponentContext

    init(_ context: ComponentContext) { self.context = context }

    @Route("fixture://item/:id", "/watch/:id", public: true)
    func item(id: Int, loud: Bool = false, tags: [String] = []) -> String {
        "\(id)\(loud ? "!" : "")\(tags.isEmpty ? "" : " " + tags.joined(separator: "+"))"
    }

    @Route("fixture://item/new") func newItem() -> String { "new" }

    @Route("fixture://files/*path") func file(path: [String]) -> [String] { path }

    @Route("fixture://numbers") func numbers(small: Int8, large: UInt64 = 0, part: Double = 0) -> [String] {
        ["\(small)", "\(large)", "\(part)"]
    }

    /// Declines what it does not know.
    @Route("fixture://named/:name", priority: 10) func named(name: String) throws -> String {
        guard name == "known" else { throw RouteDeclined("no \(name)") }
        return "by name"
    }

    @Route("fixture://named/*rest") func anything(rest: [String]) -> String { "anything" }

    @Route("fixture://named-only/:name") func onlyNamed(name: String) throws -> String {
        throw RouteDeclined("no \(name)")
    }

    @Route("fixture://call") func call(
        done: @escaping @Sendable (Int) async throws -> Int, number: Int = 20
    ) async throws -> Int { try await done(number) }

    @Route("fixture://counter") func counter() -> FixtureCounter { FixtureCounter(context) }

    @Route("fixture://secret/:id", public: true, tags: ["fixture-signed-in"]) func secret(id: Int) -> String {
        "secret \(id)"
    }

    @Route("fixture://sign-in", public: true) func signIn(as name: String = "nobody") -> String {
        isSignedIn.store(true, ordering: .relaxed)
        return "hello"
    }

    @Route("fixture://mail", public: ["mail", "letter"]) func mail() -> String { "mail" }

    @Route("fixture://unguarded", tags: ["fixture-nobody"]) func unguarded() -> String { "must not run" }

    /// Opens another URL, such as one that opens itself.
    @Route("fixture://through") func through(url: String) async throws -> String {
        try await context.link.open(url).string()
    }

    /// Opens one URL after another, without an end.
    @Route("fixture://endless/:step") func endless(step: Int) async throws -> String {
        try await context.link.open("fixture://endless/\(step + 1)").string()
    }

    @Selector func signOut() { isSignedIn.store(false, ordering: .relaxed) }

    @Intercepts(priority: 100, tags: ["fixture-signed-in"])
    func guardSecrets(request: RouteRequest) -> RouteDecision {
        if isSignedIn.load(ordering: .relaxed) { return .pass }
        switch try? request.parameters.int("id") {
        case 403: return .refuse(reason: "never")
        case 302: return .redirect(url: "fixture://item/302?loud=true")
        case 508: return .redirect(url: request.url)
        case 1: return .openFirst(url: "fixture://sign-in")
        case 2: return .change(parameters: ["id": 22])
        default: return .refuse(reason: "not signed in")
        }
    }
}
