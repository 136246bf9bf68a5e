import TestSupport
import Testing

@Suite("Compiler messages for authors of components")
struct AuthorSnippetTests {
    @Test("a component with all kinds of methods compiles")
    func good() async throws {
        let diagnostics = try await Snippet.diagnostics(
            of: """
                import ComponentKit

                @Model struct Point: Sendable, Equatable { var x: Double; var y: Double = 0; var tag: String? }
                @Model enum Shape: Sendable { case circle(Point, radius: Double), empty }
                @Model enum Refusal: Error { case tooBig(limit: Int) }
                struct Plain: Codable, Sendable { var a: [Int] }

                @LinkService("com.example.shapes/1")
                protocol ShapeService: Sendable {
                    func area(of shape: Shape) throws -> Double
                    func watch(_ changed: @escaping @Sendable (Shape, Int) async throws -> Bool) async throws
                    func peer() async throws -> any ShapeService
                }

                @Component(version: "1.0.0", requires: [.service((any ShapeService).self, optional: true)])
                struct Shapes {
                    init(_ context: ComponentContext) throws {}
                    func stop() {}
                }

                @LinkClass(provides: (any ShapeService).self, instances: .perConsumer)
                final class ShapeLink: ShapeService {
                    private let context: ComponentContext
                    init(_ context: ComponentContext) throws { self.context = context }

                    func area(of shape: Shape) throws -> Double { throw Refusal.tooBig(limit: 3) }
                    func watch(_ changed: @escaping @Sendable (Shape, Int) async throws -> Bool) async throws {
                        _ = try await changed(.empty, 1)
                    }
                    func peer() async throws -> any ShapeService { self }

                    @Selector func plain(_ value: Plain, more: [Plain]? = nil) -> Plain { value }
                    @Selector func numbers(upTo limit: Int) -> AsyncStream<Int> { AsyncStream { $0.finish() } }
                    @Selector func later(done: (@Sendable (String) async throws -> Void)? = nil) async {}
                    @Selector(.quick) static func names() -> [String: [Point]] { [:] }
                    @Selector @MainActor func show() {}
                    @Selector("self") func own() -> ShapeLink { self }
                }

                @Model struct Empty {}
                @Model struct Limits { static let most = 3; var limit: Int = most }
                @Model struct Provider { var endpoint: String; var `default`: Int = 1 }

                // Names that could clash with those of generated code.
                @LinkService("com.example.names/1", arguments: Provider.self)
                fileprivate protocol Names: Sendable {
                    func run(endpoint: String, default: Int, repeat count: Int, payload: Int, call: Int) async throws -> Provider
                    func `switch`(result: Int, target: Int, rows: Int, context: Int) throws
                }

                @LinkClass final class BridgeLink: HSLinkClass, @unchecked Sendable {
                    private let names: Lock<[String]>
                    required init(link: Link) {
                        names = Lock([])
                        super.init(link: link)
                    }
                    @Selector func add(name: String) { names.withLock { $0.append(name) } }
                    func greet(done: @escaping @Sendable (Bool) -> Void) {
                        guard isAvailable(className: "HostLink"), !isLoaded(className: "Other") else { return }
                        hsClassMethod(className: "HostLink", performSelectorStr: "greet") { _, isDone, _ in done(isDone) }
                    }
                }

                @LinkClass actor Counter {
                    static let rows = 3
                    @Selector static func names(rows: Int = rows, call: Int = 1, argument0: Int = 2) -> Int { rows }
                    private var count = 0
                    @Selector func next(by step: Int = 1) -> Int { count += step; return count }
                }
                """)
        #expect(diagnostics == [])
    }

    @Test("routes and interceptors of all kinds compile")
    func routes() async throws {
        let diagnostics = try await Snippet.diagnostics(
            of: """
                import ComponentKit
                import FoundationEssentials

                @Model struct Info: Sendable { var id: Int }
                @Model struct Options { var deep: Bool = false }
                @Model enum Format: String, Sendable { case mp4, webm }
                struct Plain: Codable, Sendable { var a: [Int] }

                @LinkService("studio.video/1") protocol VideoService: Sendable {
                    @Route("studio://video/:id", public: true, tags: ["signed-in"])
                    func open(id: Int, autoplay: Bool?, format: Format, formats: [Format]?, options: Options?, plain: Plain?,
                        since: Date, of window: WindowLink?, done: @escaping @Sendable (Int) async throws -> Void) async throws -> Info
                    @Route("/watch/*path") @Selector("see") func watch(_ path: [String], `default`: URL?) throws
                    @Route("/peer") func peer(other: any VideoService) throws -> any VideoService
                    @Route("/count") func count() throws -> AsyncThrowingStream<Int, any Error>
                    @Route("/format/:format", priority: 2) func format(format: Format) throws -> WindowLink?
                }

                @LinkClass final class WindowLink {
                    @Route("studio://window/:id.html(/:page)", "/w/:id") @Route("/own/:id", priority: 5)
                    func show(id: UUID, page: UInt = 1, format: Format, formats: [Format], window: WindowLink) throws {
                        throw RouteDeclined("not here")
                    }
                    @Intercepts(priority: 1, tags: ["signed-in"])
                    func guarding(_ request: RouteRequest) async throws -> RouteDecision {
                        request.tags.isEmpty ? .pass : .openFirst(url: "studio://sign-in")
                    }
                }

                @LinkClass actor Films {
                    @Route("/films/:format") static func list(format: Format?) -> [Info] { [] }
                    @Route("/film") func film(plain: Plain? = nil) -> Int { 1 }
                }

                func use(_ window: WindowLink, _ service: any VideoService) -> [String] {
                    let opening: TypedRoute<Info> = VideoServiceRoutes.open(
                        id: 7, format: .mp4, formats: [.webm], options: Options(), since: Date(), of: window, done: { _ in })
                    let peer: TypedRoute<any VideoService> = VideoServiceRoutes.peer(other: service)
                    return [opening.url, peer.url, VideoServiceRoutes.watch(["a"]).url, VideoServiceRoutes.count().url]
                }
                """)
        #expect(diagnostics == [])
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let source: String
        let line: Int
        let message: String
        var testDescription: String { message }
    }

    private static let cannotTravel =
        "this type cannot travel between components: make it a @Model, or conform it to PayloadConvertible or Codable"

    private static let cannotBePartOfModel =
        "this type cannot be part of a model: make it a @Model, or conform it to PayloadConvertible"

    @Test(
        "mistakes",
        arguments: [
            Mistake(
                source: """
                    import ComponentKit
                    @Component(version: "1.0.0") struct One {}
                    @Component(version: "1.0.0") struct Two {}
                    """, line: 3,
                message: "invalid redeclaration of 'a module can have only one @Component; move the other"),
            Mistake(
                source: """
                    import ComponentKit
                    @Model struct Film { var id: Int }
                    @LinkClass final class Video {
                        @On func shown(_ film: Film) {}
                    }
                    """, line: 4, message: "this type is not an event: mark it @Model and @Event"),
            Mistake(
                source: """
                    import ComponentKit
                    @Model struct Film { var id: Int }
                    @Component(version: "1.0.0", posts: [Film.self]) struct Video {}
                    """, line: 3, message: "this type is not an event: mark it @Model and @Event"),
            Mistake(
                source: """
                    import ComponentKit
                    struct Settings { var path: String }
                    @Component(
                        version: "1.0.0",
                        configuration: Settings.self)
                    struct Video {}
                    """, line: 5, message: "this type cannot be a configuration: mark it @Model"),
            Mistake(
                source: """
                    import ComponentKit
                    @LinkClass("VideoLink") final class Video { @Selector func a() {} }
                    @LinkClass("VideoLink") actor Film { @Selector func a() {} }
                    """, line: 2, message: "multiple definitions of symbol 'link class VideoLink in module Snippet'"),
            Mistake(
                source: """
                    import ComponentKit
                    final class Secret: Sendable {}
                    @LinkClass final class Video {
                        @Selector func probe(_ secret: Secret) {}
                    }
                    """, line: 4, message: cannotTravel),
            Mistake(
                source: """
                    import ComponentKit
                    struct Secret {}
                    @LinkClass final class Video {
                        @Selector func probe() -> [Secret] { [] }
                    }
                    """, line: 4, message: cannotTravel),
            Mistake(
                source: """
                    import ComponentKit
                    struct Secret {}
                    @Model struct Info { var secret: Secret }
                    """, line: 3,
                message: cannotBePartOfModel),
            Mistake(
                source: """
                    import ComponentKit
                    @Model struct Info {
                        enum Kind { case one, two }
                        var kind: Kind
                    }
                    """, line: 4, message: cannotBePartOfModel),
            Mistake(
                source: """
                    import ComponentKit
                    struct Secret {}
                    @Model enum Info { case one(secret: Secret) }
                    """, line: 3, message: cannotBePartOfModel),
            Mistake(
                source: """
                    import ComponentKit
                    @Model struct Info { var id: Int }
                    @LinkClass final class Video {
                        @Route("/a") func open(info: Info) {}
                    }
                    """, line: 4,
                message: "a URL can't carry this type: make the parameter of the function with a route"),
            Mistake(
                source: """
                    import ComponentKit
                    @Model struct Info { var id: Int }
                    @LinkService("a/1") protocol Video: Sendable {
                        @Route("/a/:info") func open(info: Info?) throws
                    }
                    """, line: 4, message: "a URL can't carry this type, so it can't be a placeholder of a route"),
            Mistake(
                source: """
                    import ComponentKit
                    @LinkService("a/1") protocol Account: Sendable { func signIn() throws }
                    @LinkClass(provides: (any Account).self) final class AccountLink {}
                    """, line: 3, message: "type 'AccountLink' does not conform to protocol 'Account'"),
            Mistake(
                source: """
                    import ComponentKit
                    @LinkClass final class Video {
                        var count = 0
                        @Selector func probe() -> Int { count }
                    }
                    """, line: 3,
                message: "stored property 'count' of 'Sendable'-conforming class 'Video' is mutable"),
        ])
    func mistakes(_ mistake: Mistake) async throws {
        let diagnostics = try await Snippet.diagnostics(of: mistake.source)
        #expect(
            diagnostics.contains { $0.message.contains(mistake.message) && $0.line == mistake.line }, "\(diagnostics)")
    }

    @Test("the fix-it makes a class final")
    func fixIt() async throws {
        let source = "import ComponentKit\n@LinkClass class Video {\n    @Selector func probe() {}\n}\n"
        let diagnostics = try await Snippet.diagnostics(of: source)
        #expect(diagnostics.count == 1)
        let diagnostic = try #require(diagnostics.first)
        #expect(diagnostic.message.hasPrefix("a link class must be final"))
        // The compiler hangs changes that macros offer on notes.
        let note = try #require(diagnostic.notes.first)
        #expect(note.message == "make it final")
        #expect(note.fixIts.first == Snippet.Diagnostic.FixIt(line: 2, old: "class", new: "final class"))
    }
}
