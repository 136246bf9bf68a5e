import ComponentHost
import ComponentKit
import Foundation
import TestSupport

/// A component that is never loaded, whose manifest has one of everything that the host's own classes tell.
enum GoldenComponent {
    /// The file has no code. Its manifest is all that anyone reads.
    private static let manifest = """
        {"name": "Golden", "version": "1.2.0", "configuration": "Options", "posts": ["com.example.golden/done"],
         "models": [
          {"name": "Options", "fields": {"address": "String", "limit": "Int = 5", "token": "Secret?"}},
          {"name": "Greeting", "fields": {"name": "String", "times": "Int = 1", "tags": "[String] = []"}},
          {"name": "Done", "fields": {"value": "Int"}, "event": "com.example.golden/done"}],
         "classes": [{"name": "GoldenLink", "provides": ["com.example.golden/1"], "selectors": [
          {"name": "open", "parameters": {"id": "Int", "loud": "Bool = false"}, "result": "Greeting",
           "summary": "Opens one.", "routes": [
            {"pattern": "golden://item/:id", "public": true, "tags": ["golden"], "priority": 5},
            {"pattern": "/item/:id"}]},
          {"name": "first", "kind": "class", "routes": [{"pattern": "golden://item/first"}]},
          {"name": "second", "kind": "class", "routes": [{"pattern": "golden://item/first"}]},
          {"name": "heard", "parameters": {"value": "Done"},
           "on": {"event": "com.example.golden/done", "priority": 3}},
          {"name": "missed", "kind": "class", "parameters": {"value": "Payload"},
           "on": {"event": "com.example.golden/lost"}},
          {"name": "greeting", "parameters": {"context": "PageContext", "data": "Greeting"}, "result": "ViewNode",
           "pageModule": {"name": "golden.greeting"}},
          {"name": "isHome", "kind": "class", "parameters": {"context": "PageContext"}, "result": "Bool",
           "pageModule": {"name": "golden.isHome"}},
          {"name": "guard", "parameters": {"request": "RouteRequest"}, "result": "RouteDecision",
           "intercepts": {"tags": ["golden"]}}]}]}
        """

    /// Calls `body` with a host that has the component, two routes of its own, and the class `HostLink`.
    static func withHost(_ body: (LinkHost) async throws -> Void) async throws {
        let place = try TemporaryDirectory()
        try await withPlugins { directory in
            let text = manifest.split(separator: "\n").joined().replacing("\"", with: "\\\"")
            try await directory.compile(
                "libGolden.so",
                from: """
                    #include "hslink.h"
                    HSLINK_MANIFEST("\(text)")
                    HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return NULL; }
                    """)
            let folder = directory.file("Golden.resources")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try directory.setMode(0o755, of: folder)
            try directory.write("abc", to: "Golden.resources/a.txt")
            var options = HostOptions.quiet
            options.environment = .stage
            options.dataDirectory = place.path(of: "data")
            options.routes.remoteSources = ["browser"]
            var configuration = HostConfiguration(environmentPrefix: nil)
            configuration.values = [
                "Golden.address": "here", "Golden.token": "t", "Golden.unread": "1", "Zzzzzz.key": "1",
            ]
            options.configuration = configuration
            let host = LinkHost(
                components: [directory.path], includesBuiltIn: false, provides: [ProvidedClass(HostLink.self)],
                options: options)
            try host.routes.add("golden://bare") { request in request.parameters }
            try host.routes.setRedirects(["old://:id": "golden://item/:id"])
            try await body(host)
            await host.stop()
        }
    }
}
