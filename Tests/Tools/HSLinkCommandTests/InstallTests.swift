import Foundation
import TestSupport
import Testing

@Suite("scripts/install", .enabled(if: BuiltProducts.sanitizer == nil, "a sanitizer needs its toolchain"))
struct InstallTests {
    private static let script = BuiltProducts.packageDirectory.appending(path: "scripts/install")

    /// The folder of the toolchain; nil if it shares a folder with the system.
    private static let toolchain: String? = {
        let found = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
            .map { URL(filePath: "\($0)/swiftc").resolvingSymlinksInPath() }
            .first { FileManager.default.fileExists(atPath: $0.path) }
        guard let folder = found?.deletingLastPathComponent().deletingLastPathComponent().path else { return nil }
        return folder == "/usr" ? nil : folder
    }()

    /// - Parameters:
    ///   - built: The folder of the products; without it, that of ``StrippedProducts``.
    ///   - withSamples: Whether the sample components are installed.
    private func install(
        _ built: String? = nil, to prefix: String, withSamples: Bool = true, environment: [String: String?] = [:]
    ) async throws -> ProgramRun {
        let products = if let built { built } else { try await StrippedProducts.directory() }
        let options = withSamples ? ["--samples"] : []
        return try await ProgramRun.of(
            Self.script, options + ["--built", products, prefix], environment: environment)
    }

    @Test("without --samples, the folder of components is there and empty")
    func bare() async throws {
        let directory = try TemporaryDirectory()
        let prefix = directory.path(of: "prefix")
        let run = try await install(to: prefix, withSamples: false)
        try #require(run.status == 0, "\(run)")
        #expect(run.standardError.contains("Put components into \(prefix)/lib/hslink/plugins"), "\(run)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(prefix)/lib/hslink/plugins") == [])
        #expect(try mode(of: "\(prefix)/lib/hslink/plugins") == 0o755)
        let listed = try await ProgramRun.of(URL(filePath: "\(prefix)/bin/hslink"), ["list", "--json"])
        #expect(listed.standardOutput.contains("\"components\":[]"), "\(listed)")
        // The second time, the folder is there already.
        #expect(try await install(to: prefix, withSamples: false).status == 0)
    }

    @Test("hslink-models and the file for pkg-config are installed")
    func tools() async throws {
        let directory = try TemporaryDirectory()
        let prefix = directory.path(of: "prefix")
        let run = try await install(to: prefix, withSamples: false)
        try #require(run.status == 0, "\(run)")
        let version = try await ProgramRun.of(URL(filePath: "\(prefix)/bin/hslink"), ["--version"])
        #expect(try await ProgramRun.of(URL(filePath: "\(prefix)/bin/hslink-models"), ["--version"]) == version)
        let pkgConfig = try String(contentsOfFile: "\(prefix)/lib/pkgconfig/hslink.pc", encoding: .utf8)
        let number = version.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
        for line in [
            "prefix=\(prefix)", "includedir=${prefix}/include/hslink", "plugindir=${prefix}/lib/hslink/plugins",
            "Version: \(number)", "Cflags: -I${includedir}",
        ] {
            #expect(pkgConfig.split(separator: "\n").contains { $0 == line }, "\(pkgConfig)")
        }
        let installed = try files(in: prefix)
        for file in ["include/hslink/hslink.h", "share/zsh/site-functions/_hslink-models"] {
            #expect(installed.contains(file), "\(installed)")
        }
    }

    @Test("the installation runs without the toolchain, and contains no path of the build machine")
    func runs() async throws {
        let directory = try TemporaryDirectory()
        let prefix = directory.path(of: "prefix")
        let run = try await install(BuiltProducts.directory.path, to: prefix)
        try #require(run.status == 0, "\(run)")

        let program = URL(filePath: "\(prefix)/bin/hslink")
        let inspected = try await ProgramRun.of(
            program, ["inspect", "\(prefix)/lib/hslink/plugins/libComponentVideo.so"])
        #expect(inspected.standardOutput.contains("Run path   $ORIGIN/../swift\n"), "\(inspected)")
        let sample = BuiltProducts.packageDirectory.appending(path: "Tests/Samples/clip.mp4").path
        let call = ["call", "VideoLink", "probe", "path=\(sample)"]
        // Found without an option, next to the program.
        let plain = try await ProgramRun.of(program, call)
        #expect(plain.status == 0, "\(plain)")
        // Uses the installed contract.
        let made = try await ProgramRun.of(
            program, ["new", "component", "Weather", "--rust", "--path", directory.path])
        #expect(made.status == 0, "\(made)")
        guard let toolchain = Self.toolchain, await canHide() else { return }
        let hidden = try await hiding(toolchain, [program.path] + call)
        #expect(hidden == plain)
        // Otherwise the toolchain was not hidden.
        #expect(try await hiding(toolchain, ["\(toolchain)/bin/swiftc", "--version"]).status != 0)
    }

    @Test("DESTDIR is put before the prefix")
    func staged() async throws {
        let directory = try TemporaryDirectory()
        let run = try await install(to: "/opt/hslink", environment: ["DESTDIR": directory.path])
        try #require(run.status == 0, "\(run)")
        let root = "\(directory.path)/opt/hslink"
        let unit = try String(contentsOfFile: "\(root)/lib/systemd/system/hslink.service", encoding: .utf8)
        #expect(unit.contains(" /opt/hslink/bin/hslink run --plugins /opt/hslink/lib/hslink/plugins "))
        #expect(unit.contains("\nEnvironmentFile=-%E/hslink/environment\n"))
        #expect(!unit.contains("@PREFIX@"))
        let versions = try Data(contentsOf: URL(filePath: "\(root)/share/doc/hslink/Package.resolved"))
        #expect(try versions == Data(contentsOf: BuiltProducts.packageDirectory.appending(path: "Package.resolved")))
        for file in try FileManager.default.subpathsOfDirectory(atPath: root) where file.hasSuffix(".so") {
            let bytes = try Data(contentsOf: URL(filePath: "\(root)/\(file)"))
            #expect(bytes.range(of: Data(directory.path.utf8)) == nil, "\(file) names where it was staged")
        }
        let listed = try await ProgramRun.of(URL(filePath: "\(root)/bin/hslink"), ["list", "--json"])
        #expect(listed.status == 0)
        #expect(listed.standardOutput.contains("\"name\":\"ComponentVideo\""))
    }

    @Test("other files and the modes of folders are not changed")
    func foreign() async throws {
        let directory = try TemporaryDirectory()
        let plugins = directory.path(of: "lib/hslink/plugins")
        for (folder, mode) in [("lib/hslink/plugins", 0o711), ("share", 0o700), ("bin", 0o2755)] as [(String, mode_t)] {
            try directory.makeDirectory(folder)
            try directory.setMode(mode, of: folder)
        }
        let component = try Data(contentsOf: try Fixtures.file("CGood"))
        try directory.write(component, to: "lib/hslink/plugins/libCGood.so")
        try directory.write("no component", to: "lib/hslink/plugins/libBroken.so")
        try directory.write("{}", to: "lib/hslink/plugins/other.hslink.json")
        try directory.write("{}", to: "lib/hslink/plugins/notes.txt")

        let run = try await install(to: directory.path)
        #expect(run.status == 0, "\(run)")
        #expect(try Data(contentsOf: URL(filePath: "\(plugins)/libCGood.so")) == component)
        for (name, text) in [("libBroken.so", "no component"), ("other.hslink.json", "{}"), ("notes.txt", "{}")] {
            #expect(try String(contentsOfFile: "\(plugins)/\(name)", encoding: .utf8) == text)
        }
        #expect(try mode(of: plugins) == 0o711)
        #expect(try mode(of: directory.path(of: "share")) == 0o700)
        #expect(try mode(of: directory.path(of: "bin")) == 0o2755)
        #expect(try mode(of: directory.path(of: "share/doc")) == 0o755)
    }

    @Test("another component with the same classes is reported, and nothing is changed")
    func hidden() async throws {
        let directory = try TemporaryDirectory()
        try directory.makeDirectory("lib/hslink/plugins")
        let component = try Data(contentsOf: BuiltProducts.component("ComponentVideo"))
        try directory.write(component, to: "lib/hslink/plugins/libAnotherVideo.so")
        let run = try await install(to: directory.path)
        #expect(run.status == 0, "\(run)")
    }

    @Test(
        "a signal leaves no file behind",
        arguments: [
            "a failure": "exit 1", "a signal": "kill -TERM $PPID; exit 1", "an interrupt": "kill -INT $PPID; exit 130",
        ])
    func ended(how: String, commands: String) async throws {
        let directory = try TemporaryDirectory()
        try directory.makeDirectory("tools")
        // Found before the system's tool that puts files in place.
        try directory.write("#!/bin/sh\n\(commands)\n", to: "tools/mv")
        try directory.setMode(0o755, of: "tools/mv")
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let prefix = directory.path(of: "prefix")
        let run = try await install(to: prefix, environment: ["PATH": "\(directory.path(of: "tools")):\(path)"])
        #expect(run.status != 0, "\(run)")
        #expect(try files(in: prefix) == [])
    }

    @Test("nothing is replaced when the build does not work, or a folder is in the way")
    func refused() async throws {
        let directory = try TemporaryDirectory()
        let built = try directory.makeDirectory("built")
        let stripped = try await StrippedProducts.directory()
        for product in try FileManager.default.contentsOfDirectory(atPath: stripped)
        where product.hasPrefix("hslink") || product.hasSuffix(".so") {
            try directory.link("built/\(product)", to: "\(stripped)/\(product)")
        }
        let prefix = try directory.makeDirectory("prefix")
        try directory.makeDirectory("prefix/bin/hslink")
        let inTheWay = try await install(built, to: prefix)
        #expect(inTheWay.status == 1, "\(inTheWay)")
        #expect(inTheWay.standardError.contains("a folder; nothing was installed"), "\(inTheWay)")
        #expect(try files(in: prefix) == [])

        try FileManager.default.removeItem(atPath: "\(prefix)/bin/hslink")
        try FileManager.default.removeItem(atPath: "\(built)/libComponentVideo.so")
        try FileManager.default.copyItem(
            at: try Fixtures.file("CGood"), to: URL(filePath: "\(built)/libComponentVideo.so"))
        try directory.write("the former one", to: "prefix/bin/hslink")
        let broken = try await install(built, to: prefix)
        #expect(broken.status == 1, "\(broken)")
        #expect(broken.standardError.contains("not available: ComponentVideo; nothing was installed"), "\(broken)")
        #expect(try files(in: prefix) == ["bin/hslink"])
        #expect(try String(contentsOfFile: "\(prefix)/bin/hslink", encoding: .utf8) == "the former one")
    }

    @Test("the manual is made from the program only, and has a page for each command")
    func manual() async throws {
        let tool = BuiltProducts.directory.appending(path: "generate-manual")
        try #require(
            FileManager.default.fileExists(atPath: tool.path), "scripts/test builds it: swift build --product")
        let directory = try TemporaryDirectory()
        let run = try await install(BuiltProducts.directory.path, to: directory.path)
        try #require(run.status == 0, "\(run)")
        let pages = try files(in: directory.path(of: "share/man/man1"))
        #expect(pages.contains("hslink.1"))
        for command in [
            "call", "compat", "copy", "dev", "health", "import", "inspect", "layers", "list", "new.component",
            "new.host", "open", "routes", "run",
        ] {
            #expect(pages.contains("hslink.\(command).1"))
        }
        #expect(pages.contains("hslink-models.1"))
        let page = try String(contentsOfFile: directory.path(of: "share/man/man1/hslink.run.1"), encoding: .utf8)
        #expect(page.hasPrefix(".\\\" \"Generated by swift-argument-parser\""), "\(page.prefix(80))")
        #expect(page.contains("control"))
        // Text lines that look like roff commands would be omitted.
        for page in pages {
            let text = try String(contentsOfFile: directory.path(of: "share/man/man1/\(page)"), encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            #expect(!lines.contains { $0.isEmpty || $0.hasPrefix("'") }, "\(page)")
        }
    }

    @Test(
        "a wrong command line is an error, and nothing is written",
        arguments: [
            ([], "expected a prefix", 64), (["/a", "/b"], "expected one prefix, found '/b' too", 64),
            (["--nope", "/a"], "unexpected option '--nope'", 64), (["--built"], "--built needs a directory", 64),
            (["--built", "/nowhere", "/a"], "expected hslink in /nowhere", 1),
            (["--runtime", "relative", "/a"], "expected the absolute path of a folder with libswiftCore.so", 1),
            (["/with a space"], "choose a prefix without spaces or special characters", 1),
        ])
    func misuse(arguments: [String], words: String, status: Int32) async throws {
        let run = try await ProgramRun.of(Self.script, arguments)
        #expect(run.status == status)
        #expect(run.standardError.contains(words), "\(run)")
    }

    /// The files below a folder, sorted; none if it is not there.
    private func files(in folder: String) throws -> [String] {
        guard let paths = FileManager.default.enumerator(atPath: folder) else { return [] }
        var isFolder: ObjCBool = false
        return paths.compactMap { $0 as? String }.filter { path in
            unsafe FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    private func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// Runs a command with an empty folder mounted over `folder`, and with no variables except `PATH`.
    private func hiding(_ folder: String, _ command: [String]) async throws -> ProgramRun {
        let script = "mount -t tmpfs none \"$0\" && exec env -i PATH=/usr/bin:/bin \"$@\""
        return try await ProgramRun.of(
            URL(filePath: "/usr/bin/unshare"), ["--map-root-user", "--mount", "bash", "-c", script, folder] + command)
    }

    /// Whether this system allows mount namespaces for users.
    private func canHide() async -> Bool {
        let directory = try? TemporaryDirectory()
        return (try? await hiding(directory?.path ?? "", ["true"]).status) == 0
    }
}
