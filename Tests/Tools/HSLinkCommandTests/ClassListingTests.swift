import Foundation
import TestSupport
import Testing

@Suite("hslink call with a class only")
struct ClassListingTests {
    @Test("the selectors are listed with their parameters, and nothing is loaded")
    func listed() async throws {
        try await withPlugins("ComponentVideo", "CreateFails") { plugins async throws in
            let run = try await hslink("call", "VideoLink", "--plugins", plugins.path)
            #expect(run.status == 0)
            #expect(run.standardError == "")
            let lines = run.standardOutput.split(separator: "\n").map(String.init)
            #expect(lines.first?.hasPrefix("VideoLink of ComponentVideo ") == true)
            #expect(lines.contains { $0.hasPrefix("SELECTOR") && $0.contains("PARAMETERS") })
            #expect(lines.contains { $0.hasPrefix("probe ") && $0.contains("path: String") }, "\(run)")
            // A component that cannot be loaded still has selectors.
            #expect(try await hslink("call", "CreateFailsLink", "--plugins", plugins.path).status == 0)
        }
    }

    @Test("as JSON it is one object on one line")
    func json() async throws {
        try await withPlugins("ComponentVideo") { plugins async throws in
            let run = try await hslink("call", "VideoLink", "--json", "--plugins", plugins.path)
            #expect(run.status == 0)
            let listing = try JSONDecoder().decode(Listing.self, from: Data(run.standardOutput.utf8))
            #expect(listing.component == "ComponentVideo")
            let probe = try #require(listing.selectors.first { $0.name == "probe" })
            #expect(probe.kind == "object")
            #expect(probe.parameters == [.init(name: "path", type: "String")])
        }
    }

    @Test("a missing class is reported with the nearest name")
    func missing() async throws {
        try await withPlugins("ComponentVideo") { plugins in
            let run = try await hslink("call", "VideoLnk", "--plugins", plugins.path)
            #expect(run == failed("Error: VideoLnk: no component has this class", "Did you mean VideoLink?"))
        }
    }

    private struct Listing: Decodable {
        let component: String
        let selectors: [Selector]

        struct Selector: Decodable {
            let name: String
            let kind: String
            let parameters: [Parameter]
        }

        struct Parameter: Decodable, Equatable {
            let name: String
            let type: String
        }
    }
}
