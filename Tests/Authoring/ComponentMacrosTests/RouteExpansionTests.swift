import ComponentKit
import Testing

@testable import ComponentCatalog
@testable import ComponentHost

@Suite("What routes expand to")
struct RouteExpansionTests {
    @Test("a function with a route is a selector, and its routes are in the note")
    func linkClass() throws {
        let expansion = Expansion(
            of: """
                @LinkClass final class Video {
                    @Route("studio://video/:id", "/watch/:id", public: true, tags: ["signed-in", "film"], priority: -5)
                    @Route("/v/:id", public: ["browser", "mail"])
                    @Selector("play", .quick)
                    func open(id: Int, format: Format = .mp4, owner: User.Kind) {}
                    @Route("/files/*path") static func file(path: [Name]) {}
                    @Intercepts(priority: 100, tags: ["signed-in"]) func check(_ request: RouteRequest) -> RouteDecision { .pass }
                    @Intercepts func all(request: ComponentKit.RouteRequest) -> ComponentKit.RouteDecision { .pass }
                }
                """)
        #expect(expansion.diagnostics == [])
        #expect(
            expansion.notes == [
                #"{"module":"Video","name":"Video","selectors":["#
                    + #"{"name":"play","parameters":{"id":"Int","format":"Format = .mp4","owner":"User.Kind"},"quick":true,"#
                    + #""routes":[{"pattern":"studio://video/:id","public":true,"tags":["signed-in","film"],"priority":-5},"#
                    + #"{"pattern":"/watch/:id","public":true,"tags":["signed-in","film"],"priority":-5},"#
                    + #"{"pattern":"/v/:id","public":["browser","mail"]}]},"#
                    + #"{"name":"file","kind":"class","parameters":{"path":"[Name]"},"routes":[{"pattern":"/files/*path"}]},"#
                    + #"{"name":"check","parameters":{"request":"RouteRequest"},"result":"RouteDecision","#
                    + #""intercepts":{"priority":100,"tags":["signed-in"]}},"#
                    + #"{"name":"all","parameters":{"request":"ComponentKit.RouteRequest"},"#
                    + #""result":"ComponentKit.RouteDecision","intercepts":{}}]}"#
            ])
        #expect(expansion.code.contains("_rows.append(.method(\"play\", quick: true)"))
        #expect(expansion.code.contains("_rows.append(.classMethod(\"file\")"))
        #expect(
            expansion.code.contains(
                """
                () {
                        ComponentKit.__RouteBuilder.requireTextOrInstance((User.Kind).self)
                        ComponentKit.__RouteBuilder.requireText((Name).self)
                    }
                """), "\(expansion.code)")
        // The host reads back what the macro wrote.
        let json = try Payload(json: #"{"name":"V","version":"1.0.0","classes":[\#(expansion.notes[0])]}"#)
        let manifest = try Manifest(json)
        let selectors = manifest.classes[0].selectors
        #expect(manifest.routeProblems == [])
        #expect(selectors.map { $0.routes.map(\.pattern).count } == [3, 1, 0, 0])
        #expect(selectors[2].intercepts == InterceptionDeclaration(priority: 100, tags: ["signed-in"]))
        #expect(selectors[3].intercepts == InterceptionDeclaration())
    }

    @Test("a contract gets functions that make the URLs of its routes")
    func service() {
        let expansion = Expansion(
            of: """
                @LinkService("studio.video/1")
                public protocol VideoService: Sendable {
                    @Route("/watch/:id", "studio://video/:id")
                    func open(_ id: Int, format: Format, done: @escaping @Sendable () async throws -> Void) async throws -> VideoInfo
                    @Route("/c") func close(for reason: String?) throws
                    @Route("/p") func peer(call: (@Sendable () async throws -> Void)?) throws -> any VideoService
                    func other() throws
                }
                """)
        #expect(expansion.diagnostics == [])
        #expect(
            expansion.code.hasSuffix(
                """
                /// The URLs of ``VideoService``: one function for each function with a route.
                public enum VideoServiceRoutes {
                    /// The URL `studio://video/:id`, which calls ``VideoService/open(_:format:done:)``.
                    public static func open(_ id: Int, format: Format, done: @escaping @Sendable () async throws -> Void) -> ComponentKit.TypedRoute<VideoInfo> {
                        var _route = ComponentKit.__RouteBuilder("studio://video/:id")
                        _route.add("id", `id`)
                        _route.add("format", `format`) { _link in try ComponentKit.__LinkCoding.payload(of: `format`, for: _link) }
                        _route.add("done", making: { _link in try ComponentKit.__LinkCoding.closure(`done`, for: _link) })
                        return _route.route { _reply, _ in try ComponentKit.__LinkCoding.value(of: _reply, as: (VideoInfo).self) }
                    }
                    /// The URL `/c`, which calls ``VideoService/close(for:)``.
                    public static func close(for reason: String? = nil) -> ComponentKit.TypedRoute<Void> {
                        var _route = ComponentKit.__RouteBuilder("/c")
                        _route.add("for", `reason`)
                        return _route.route { _, _ in }
                    }
                    /// The URL `/p`, which calls ``VideoService/peer(call:)``.
                    public static func peer(call: (@Sendable () async throws -> Void)? = nil) -> ComponentKit.TypedRoute<any VideoService> {
                        var _route = ComponentKit.__RouteBuilder("/p")
                        if let `call` {
                            _route.add("call", making: { _link in try ComponentKit.__LinkCoding.closure(`call`, for: _link) })
                        }
                        return _route.route { _reply, _link in try ComponentKit.__LinkCoding.service(of: _reply, as: VideoServiceClient.self, for: _link) }
                    }
                    nonisolated private static func _requireTexts() {
                        ComponentKit.__RouteBuilder.requireTextOrInstance((Format).self)
                    }
                }
                """), "\(expansion.code)")
    }

    @Test("a client opens the URL of a function with a route if it was made so")
    func client() {
        let expansion = Expansion(
            of: """
                @LinkService("a/1")
                protocol P: Sendable {
                    @Route("/a/:id") func a(_ id: Int, for `class`: String?) throws -> Int
                    @Route("/b") @MainActor func b() async throws
                    func c() async throws
                }
                """)
        #expect(expansion.diagnostics == [])
        for lines in [
            """
                func a(_ id: Int, for `class`: String?) throws -> Int {
                    if self.__endpoint.opensRoutes { return try self.__endpoint.open(PRoutes.a(`id`, for: `class`)) }
                    return try ComponentKit.__LinkCoding.value(of: try self.__endpoint.call(0,
            """,
            """
                func a(_ id: Int, for `class`: String?) async throws -> Int {
                    if self.__endpoint.opensRoutes { return try await self.__endpoint.open(PRoutes.a(`id`, for: `class`)) }
                    return try ComponentKit.__LinkCoding.value(of: try await self.__endpoint.call(0,
            """,
            """
                @MainActor func b() async throws {
                    if self.__endpoint.opensRoutes { return try await self.__endpoint.open(PRoutes.b()) }
                    _ = try await self.__endpoint.call(1, ComponentKit.Payload.null)
                }
            """,
            """
                func c() async throws {
                    _ = try await self.__endpoint.call(2, ComponentKit.Payload.null)
                }
            """,
        ] {
            #expect(expansion.code.contains(lines), "\(lines)\n\(expansion.code)")
        }
    }

    @Test("a contract without routes gets none of it")
    func none() {
        let expansion = Expansion(of: "@LinkService(\"a/1\") protocol P: Sendable { func a() throws }")
        #expect(!expansion.code.contains("PRoutes"))
        #expect(!expansion.code.contains("opensRoutes"))
    }
}
