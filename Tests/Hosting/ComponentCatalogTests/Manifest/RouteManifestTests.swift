import CHSLink
import ComponentKit
import Routing
import Testing

@testable import ComponentCatalog

@Suite("Routes and interceptors in manifests")
struct RouteManifestTests {
    /// A manifest with one selector, which has these members.
    private static func text(_ members: String) -> String {
        #"{"name": "N", "version": "1.0.0", "classes": [{"name": "L", "selectors": [{"name": "a"}, "#
            + #"{"name": "open", "parameters": {"id": "Int", "path": "[String] = []"}, \#(members)}]}]}"#
    }

    private func selector(_ members: String) throws -> SelectorDeclaration {
        let manifest = try ManifestAssembly.manifest(Self.text(members))
        #expect(manifest.classes[0].selectors[0].name == "a")
        return manifest.classes[0].selectors[1]
    }

    @Test("a route has a pattern, and may have access, tags and a priority")
    func routes() throws {
        let selector = try selector(
            #""routes": [{"pattern": "studio://video/:id", "public": true, "tags": ["signed-in", "a.b_1"], "#
                + #""priority": -5, "x-own": 1}, {"pattern": "/watch/:id", "public": false, "tags": [], "priority": 0}, "#
                + #"{"pattern": "/w/:id", "public": ["browser", "mail"]}]"#
        )
        #expect(
            selector.routes == [
                RouteDeclaration(
                    pattern: "studio://video/:id", isPublic: true, tags: ["signed-in", "a.b_1"], priority: -5),
                RouteDeclaration(pattern: "/watch/:id"),
                RouteDeclaration(pattern: "/w/:id", isPublic: true, sources: ["browser", "mail"]),
            ])
        #expect(selector.routes[2].line == "/w/:id [public for browser and mail]")
        #expect(selector.routeProblems == [])
        #expect(selector.intercepts == nil)
        #expect(selector.extra.isNull)
    }

    @Test("routes and interceptors are written without their defaults")
    func written() throws {
        let text = Self.text(
            #""routes": [{"pattern": "/a", "public": true, "tags": ["t"], "priority": 1}, {"pattern": "/b/:id"}, "#
                + #"{"pattern": "/c", "public": ["s"]}], "#
                + #""intercepts": {"priority": 7, "tags": ["u"]}"#)
        let manifest = try ManifestAssembly.manifest(text)
        let json = try manifest.json.value("classes", 0, "selectors", 1)
        #expect(
            json["routes"] == [
                ["pattern": "/a", "public": true, "tags": ["t"], "priority": 1], ["pattern": "/b/:id"],
                ["pattern": "/c", "public": ["s"]],
            ])
        #expect(json["intercepts"] == ["priority": 7, "tags": ["u"]])
        #expect(try Manifest(manifest.json) == manifest)
        let plain = try ManifestAssembly.manifest(Self.text(#""intercepts": {}"#))
        #expect(try plain.json.value("classes", 0, "selectors", 1, "intercepts") == [:])
        #expect(plain.classes[0].selectors[1].intercepts == InterceptionDeclaration())
    }

    @Test(
        "a route with a mistake is left out with the reason, and nothing else",
        arguments: [
            (#"{}"#, "routes[1].pattern: expected string, found nothing"),
            (#"{"pattern": 1}"#, "routes[1].pattern: expected string, found int"),
            (
                #"{"pattern": "/x/*id"}"#,
                #"routes[1].pattern: expected an array for the placeholder "id", found the parameter's type "Int""#
            ),
            (
                #"{"pattern": "/x/:path"}"#,
                #"routes[1].pattern: expected one value for the placeholder "path", found the parameter's type "[String] = []""#
            ),
            (
                #"{"pattern": "/x/:id<float>"}"#,
                #"routes[1].pattern: expected a type that takes what <float> matches for the placeholder "id", found "#
                    + #"the parameter's type "Int""#
            ),
            (
                #"{"pattern": "/a/:1"}"#,
                #"routes[1].pattern: expected a route pattern (at byte 4: a name does not begin with a digit), found "/a/:1""#
            ),
            (
                #"{"pattern": "/a/:name"}"#,
                #"routes[1].pattern: expected placeholders that are parameters (id, path), found "name""#
            ),
            (
                #"{"pattern": "/b/:id<int>"}"#,
                #"routes[1].pattern: expected a pattern that no earlier route of the selector has, found "/b/:id<int>""#
            ),
            (#"{"pattern": "/a", "public": "yes"}"#, "routes[1].public: expected bool, found string"),
            (#"{"pattern": "/a", "public": []}"#, "routes[1].public: expected at least one source, found none"),
            (#"{"pattern": "/a", "public": [true]}"#, "routes[1].public[0]: expected string, found true"),
            (
                #"{"pattern": "/a", "public": ["a/b"]}"#,
                #"routes[1].public[0]: expected 1 to 64 letters, digits, "_", "." or "-", found "a/b""#
            ),
            (
                #"{"pattern": "/a", "public": ["s", "s"]}"#,
                #"routes[1].public[1]: expected each source once, found "s" again"#
            ),
            (#"{"pattern": "/a", "tags": "t"}"#, "routes[1].tags: expected array, found string"),
            (
                #"{"pattern": "/a", "tags": ["a b"]}"#,
                #"routes[1].tags[0]: expected 1 to 64 letters, digits, "_", "." or "-", found "a b""#
            ),
            (#"{"pattern": "/a", "tags": ["t", "t"]}"#, #"routes[1].tags[1]: expected each tag once, found "t" again"#),
            (
                #"{"pattern": "/a", "priority": 1000001}"#,
                "routes[1].priority: expected an integer from -1000000 to 1000000, found 1000001"
            ),
            (
                #"{"pattern": "/a", "pubic": true}"#,
                #"routes[1]: expected "public", or a custom key that begins with "x-", found the key "pubic""#
            ),
            ("7", "routes[1]: expected an object with the key pattern, found int"),
        ])
    func mistakes(route: String, problem: String) throws {
        let selector = try selector(#""routes": [{"pattern": "/b/:id"}, \#(route), {"pattern": "/c/*path"}]"#)
        #expect(selector.routes.map(\.pattern) == ["/b/:id", "/c/*path"])
        #expect(selector.routeProblems.count == 1)
        #expect(selector.routeProblems.first?.hasPrefix(problem) == true, "\(selector.routeProblems)")
        let manifest = try ManifestAssembly.manifest(Self.text(#""routes": [\#(route)]"#))
        #expect(manifest.routeProblems.allSatisfy { $0.hasPrefix("L.open: routes[0]") })
    }

    @Test(
        "routes that are not an array, or too many, are left out",
        arguments: [
            ("{}", 0, "routes: expected array, found map of 0"),
            (
                "[" + (0..<70).map { #"{"pattern": "/p\#($0)"}"# }.joined(separator: ",") + "]", 64,
                "routes: expected at most 64 routes, found 70"
            ),
        ])
    func noList(json: String, count: Int, problem: String) throws {
        let selector = try selector(#""routes": \#(json)"#)
        #expect(selector.routes.count == count)
        #expect(selector.routeProblems == [problem])
    }

    @Test("a selector that declares no parameters may have any placeholder")
    func undeclared() throws {
        let manifest = try ManifestAssembly.manifest(
            #"{"name": "N", "version": "1.0.0", "classes": [{"name": "L", "selectors": "#
                + #"[{"name": "open", "routes": [{"pattern": "/a/:any"}]}]}]}"#)
        #expect(manifest.classes[0].selectors[0].routes.map(\.pattern) == ["/a/:any"])
    }

    @Test(
        "an interceptor with a mistake refuses the manifest, because it may be a guard",
        arguments: [
            (#"true"#, "intercepts: expected map, found true"),
            (#"{"priority": "high"}"#, "intercepts.priority: expected int, found string"),
            (#"{"tags": ["a b"]}"#, "intercepts.tags[0]: expected 1 to 64 letters"),
            (#"{"tag": "a"}"#, #"intercepts: expected "tags", or a custom key"#),
        ])
    func brokenInterceptor(json: String, message: String) throws {
        let error = try #require(try refusal { _ = try selector(#""intercepts": \#(json)"#) })
        #expect(error.code == .invalidManifest)
        #expect(error.message.contains("classes[0].selectors[1].\(message)"), "\(error)")
    }

    @Test("a class has the routes of the services that it provides, besides its own")
    func joined() throws {
        let manifest = try ManifestAssembly.manifest(
            (HSLINK_NOTE_COMPONENT, #"{"name": "N", "version": "1.0.0", "module": "Own"}"#),
            (
                HSLINK_NOTE_LINK_CLASS,
                #"{"module": "Own", "name": "L", "provides": ["S"], "selectors": [{"name": "own", "routes": "#
                    + #"[{"pattern": "/a", "public": true}]}]}"#
            ),
            (
                HSLINK_NOTE_SERVICE,
                #"{"module": "C", "name": "com.x/1", "protocol": "S", "selectors": [{"name": "open", "routes": "#
                    + #"[{"pattern": "/open"}]}, {"name": "own", "routes": [{"pattern": "/a"}, {"pattern": "/b"}]}]}"#
            ))
        let selectors = manifest.classes[0].selectors
        #expect(selectors.map(\.name) == ["own", "open"])
        #expect(
            selectors[0].routes == [
                RouteDeclaration(pattern: "/a", isPublic: true), RouteDeclaration(pattern: "/b"),
            ])
        #expect(selectors[1].routes == [RouteDeclaration(pattern: "/open")])
        #expect(manifest.services[0].selectors[1].routes.map(\.pattern) == ["/a", "/b"])
    }

    @Test("the key that was reserved for routes of a component is unknown")
    func reserved() throws {
        let error = try #require(
            try refusal { _ = try ManifestAssembly.manifest(#"{"name": "N", "version": "1.0.0", "routes": []}"#) })
        #expect(error.message.contains(#"found the key "routes""#))
    }
}

extension RouteManifestTests {
}
