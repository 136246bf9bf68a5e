import Foundation
import TestSupport
import Testing

/// Runs the commands of the container image that the pages show, with other folders. The image itself is not built.
@Suite("The container image of the examples")
struct ContainerTests {
    private static let example = BuiltProducts.packageDirectory.appending(path: "Tests/Examples/Container")

    /// Returns the arguments of an instruction in the form of a JSON array, after the program.
    private func arguments(of instruction: String) throws -> [String] {
        let text = try String(contentsOf: Self.example.appending(path: "Dockerfile"), encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(instruction) ") })
        let start = try #require(line.firstIndex(of: "["))
        let words = try JSONDecoder().decode([String].self, from: Data(line[start...].utf8))
        #expect(words.first == "hslink")
        return Array(words.dropFirst())
    }

    @Test("its host runs, and its health check sees that", .enabled(if: ComponentTests.isBuilt("ComponentVideo")))
    func runs() async throws {
        let place = try TemporaryDirectory()
        // With an owner and permissions that a host accepts.
        let settings = try place.write(
            Data(contentsOf: Self.example.appending(path: "host.yaml")), to: "host.yaml")
        try await withPlugins("StartsWell", "ComponentVideo") { plugins in
            let folders = [
                ("/usr/lib/hslink/plugins", plugins.path),
                ("/etc/hslink/host.yaml", settings),
                ("/var/lib/hslink", place.path),
            ]
            func here(_ arguments: [String]) -> [String] {
                arguments.map { folders.reduce($0) { $0.replacingOccurrences(of: $1.0, with: $1.1) } }
            }
            let host = try StartedProgram(here(try arguments(of: "CMD")))
            #expect(await host.logs("listening at"), "\(host.log)")
            #expect(try await hslink(here(try arguments(of: "HEALTHCHECK"))) == printed("ready"))
            #expect(await host.end() == 0)
            #expect(FileManager.default.fileExists(atPath: place.path(of: "data")))
        }
    }

    @Test("what it copies is what is installed, or described on the page")
    func copies() throws {
        let text = try String(contentsOf: Self.example.appending(path: "Dockerfile"), encoding: .utf8)
        let sources = text.split(separator: "\n").filter { $0.hasPrefix("COPY ") }.map { line in
            line.split(separator: " ").dropFirst().filter { !$0.hasPrefix("--") }
        }
        #expect(sources.map { $0.first } == [".", "/staged/usr", "plugins", "host.yaml"])
        // The option by which the files get their place.
        #expect(text.contains("RUN DESTDIR=/staged /hslink/scripts/install /usr\n"))
    }
}
