import Foundation
import TestSupport
import Testing

/// Runs the script with a separate PATH: the system programs that it needs, and the given ones, which log their calls.
/// Runs one at a time, because they write one log.
@Suite("scripts/setup", .serialized)
struct SetupTests {
    private let tools: TemporaryDirectory

    init() throws {
        tools = try TemporaryDirectory()
        let needed = "bash basename cat dirname env grep mkdir readlink rm sed sleep sort tail uname"
        for name in needed.split(separator: " ").map(String.init) {
            let folder = ["/usr/bin", "/bin"].first { FileManager.default.fileExists(atPath: "\($0)/\(name)") }
            try tools.link(name, to: "\(try #require(folder))/\(name)")
        }
    }

    private func add(_ name: String, _ command: String) throws {
        try tools.write("#!\(tools.path(of: "bash"))\n\(command)\n", to: name)
        try tools.setMode(0o755, of: name)
    }

    private func setup(_ arguments: String...) async throws -> ProgramRun { try await setup(arguments) }

    private func setup(_ arguments: [String]) async throws -> ProgramRun {
        try await ProgramRun.of(
            BuiltProducts.packageDirectory.appending(path: "scripts/setup"), arguments,
            environment: ["PATH": tools.path])
    }

    /// The calls of apt-get.
    private var calls: [Substring] {
        let text = try? String(contentsOfFile: tools.path(of: "calls"), encoding: .utf8)
        return (text ?? "").split(separator: "\n")
    }

    private func addPackageManager() throws { try add("apt-get", "echo \"$@\" >>'\(tools.path(of: "calls"))'") }

    private static let announcement = """
        Missing Debian packages:
          shellcheck             checks the scripts
          valgrind               counts instructions

        """

    @Test("root installs the missing packages after listing them")
    func root() async throws {
        try addPackageManager()
        try add("id", "echo 0")
        let run = try await setup("check", "bench")
        #expect(run.status == 0)
        #expect(run.standardError.hasPrefix(Self.announcement), "\(run)")
        #expect(calls.map { $0.split(separator: " ").last } == ["update", "valgrind"])
        #expect(calls.last?.hasSuffix(" install -y --no-install-recommends shellcheck valgrind") == true)
    }

    @Test("other users install with sudo")
    func sudo() async throws {
        try addPackageManager()
        try add("id", "echo 1000")
        try add("sudo", "[[ $1 != -n ]] || exit 0\nexec \"$@\"")
        let run = try await setup("check")
        #expect(run.status == 0, "\(run)")
        #expect(calls.last?.hasSuffix(" shellcheck") == true)
    }

    @Test(
        "if it cannot install, it prints the command for root",
        arguments: [
            (["apt-get"], "only root can install them, and sudo was not found. Run as root: apt-get install "),
            (["apt-get", "sudo"], "only root can install them, and sudo refused. Run as root: apt-get install "),
            ([], "apt-get was not found; install these packages, or this system's equivalents: "),
        ])
    func refused(programs: [String], words: String) async throws {
        try add("id", "echo 1000")
        if programs.contains("apt-get") { try addPackageManager() }
        if programs.contains("sudo") { try add("sudo", "exit 1") }
        let run = try await setup("check", "bench")
        #expect(run.status == 1)
        #expect(run.standardError.hasPrefix(Self.announcement + "scripts/setup: " + words), "\(run)")
        #expect(run.standardError.hasSuffix("shellcheck valgrind\n"), "\(run)")
        #expect(calls == [])
    }

    @Test("a failure of apt-get is a failure")
    func failure() async throws {
        try add("apt-get", "echo 'E: no network'; exit 100")
        try add("id", "echo 0")
        let run = try await setup("bench")
        #expect(run.status == 1)
        #expect(run.standardError.contains("E: no network"), "\(run)")
    }

    @Test("a dry run installs nothing")
    func dry() async throws {
        try addPackageManager()
        try add("id", "echo 0")
        let run = try await setup("--dry-run", "check", "bench", "check")
        #expect(run == ProgramRun(standardOutput: "", standardError: Self.announcement, status: 0))
        #expect(calls == [])
    }

    @Test(
        "it prints little when nothing is missing",
        arguments: [(["bench"], "Nothing is missing.\n"), (["--quiet", "bench"], "")])
    func nothing(arguments: [String], words: String) async throws {
        try add("valgrind", "exit 1")
        let run = try await setup(arguments)
        #expect(run == ProgramRun(standardOutput: "", standardError: words, status: 0))
    }

    @Test("an unknown purpose is a wrong command line")
    func misuse() async throws {
        let run = try await setup("tests")
        #expect(run.status == 64)
        #expect(
            run.standardError == "scripts/setup: unexpected argument 'tests'; see scripts/setup --help\n", "\(run)")
    }
}
