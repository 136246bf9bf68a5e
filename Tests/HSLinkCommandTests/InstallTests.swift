import Foundation
import TestSupport
import Testing

@Suite("scripts/install", .enabled(if: BuiltProducts.sanitizer == nil, "a sanitizer needs its toolchain"))
struct InstallTests {
    private static let script = BuiltProducts.packageDirectory.appending(path: "scripts/install")

    /// The folder of the toolchain; nil when it shares one with the system.
    private static let toolchain: String? = {
        let found = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
            .map { URL(filePath: "\($0)/swiftc").resolvingSymlinksInPath() }
            .first { FileManager.default.fileExists(atPath: $0.path) }
        guard let folder = found?.deletingLastPathComponent().deletingLastPathComponent().path else { return nil }
        return folder == "/usr" ? nil : folder
    }()

    private func install(to prefix: String, environment: [String: String?] = [:]) async throws -> ProgramRun {
        try await ProgramRun.of(
            Self.script, ["--built", BuiltProducts.directory.path, prefix], environment: environment)
    }

    @Test("what is installed runs with the toolchain out of reach, and names nothing of the build machine")
    func runs() async throws {
        let directory = try TemporaryDirectory()
        let prefix = directory.path(of: "prefix")
        let run = try await install(to: prefix)
        try #require(run.status == 0, "\(run)")

        let program = URL(filePath: "\(prefix)/bin/hslink")
        let inspected = try await ProgramRun.of(
            program, ["inspect", "\(prefix)/lib/hslink/plugins/libComponentVideo.so"])
        #expect(inspected.standardOutput.contains("Run path   $ORIGIN/../swift\n"), "\(inspected)")
        let sample = BuiltProducts.packageDirectory.appending(path: "Tests/Samples/clip.mp4").path
        let call = ["call", "VideoLink", "probe", "path=\(sample)"]
        // Found without an option, beside the program.
        let plain = try await ProgramRun.of(program, call)
        #expect(plain.status == 0, "\(plain)")
        guard let toolchain = Self.toolchain, await canHide() else { return }
        let hidden = try await hiding(toolchain, [program.path] + call)
        #expect(hidden == plain)
        // Else nothing was hidden.
        #expect(try await hiding(toolchain, ["\(toolchain)/bin/swiftc", "--version"]).status != 0)
    }

    @Test("a package is made below DESTDIR for its prefix")
    func staged() async throws {
        let directory = try TemporaryDirectory()
        let run = try await install(to: "/opt/hslink", environment: ["DESTDIR": directory.path])
        try #require(run.status == 0, "\(run)")
        let root = "\(directory.path)/opt/hslink"
        let unit = try String(contentsOfFile: "\(root)/lib/systemd/system/hslink.service", encoding: .utf8)
        #expect(unit.contains("ExecStart=/opt/hslink/bin/hslink run --plugins /opt/hslink/lib/hslink/plugins "))
        for file in try FileManager.default.subpathsOfDirectory(atPath: root) where file.hasSuffix(".so") {
            let bytes = try Data(contentsOf: URL(filePath: "\(root)/\(file)"))
            #expect(bytes.range(of: Data(directory.path.utf8)) == nil, "\(file) names where it was staged")
        }
        let listed = try await ProgramRun.of(URL(filePath: "\(root)/bin/hslink"), ["list", "--json"])
        #expect(listed.status == 0)
        #expect(listed.standardOutput.contains("\"name\":\"ComponentVideo\""))
    }

    @Test(
        "a wrong command line is told, and nothing is written",
        arguments: [
            ([], "expected a prefix", 64), (["/a", "/b"], "expected one prefix, there was '/b' too", 64),
            (["--nope", "/a"], "unexpected option '--nope'", 64), (["--built"], "--built needs a directory", 64),
            (["--built", "/nowhere", "/a"], "expected hslink in /nowhere", 1),
            (["--runtime", "relative", "/a"], "expected an absolute path of a folder with libswiftCore.so", 1),
            (["/with a space"], "choose a prefix without spaces and signs", 1),
        ])
    func misuse(arguments: [String], words: String, status: Int32) async throws {
        let run = try await ProgramRun.of(Self.script, arguments)
        #expect(run.status == status)
        #expect(run.standardError.contains(words), "\(run)")
    }

    /// Runs a command where an empty folder lies over `folder`, and with no variables but `PATH`.
    private func hiding(_ folder: String, _ command: [String]) async throws -> ProgramRun {
        let script = "mount -t tmpfs none \"$0\" && exec env -i PATH=/usr/bin:/bin \"$@\""
        return try await ProgramRun.of(
            URL(filePath: "/usr/bin/unshare"), ["--map-root-user", "--mount", "bash", "-c", script, folder] + command)
    }

    /// Whether this system lets its users have mounts of their own.
    private func canHide() async -> Bool {
        let directory = try? TemporaryDirectory()
        return (try? await hiding(directory?.path ?? "", ["true"]).status) == 0
    }
}
