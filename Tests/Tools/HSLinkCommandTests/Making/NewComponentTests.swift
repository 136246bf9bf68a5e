import Foundation
import TestSupport
import Testing

@testable import hslink

@Suite("hslink new")
struct NewComponentTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func make(_ arguments: String...) async throws -> ProgramRun {
        try await hslink(["new"] + arguments + ["--path", directory.path])
    }

    @Test(
        "an invalid name for a component or a Swift module is refused with a suggestion",
        arguments: [
            ("my-weather", "a Swift module cannot have '-' in its name; try 'MyWeather'"),
            ("com.example.weather", "a Swift module cannot have '.' in its name; try 'ComExampleWeather'"),
            ("2fast", "expected letters A-Z and a-z, digits and '_', starting with a letter; try 'fast'"),
            ("_hidden", "expected letters A-Z and a-z, digits and '_', starting with a letter; try 'hidden'"),
            ("two words", "expected letters A-Z and a-z, digits and '_', starting with a letter; try 'TwoWords'"),
            ("../up", "expected letters A-Z and a-z, digits and '_', starting with a letter; try 'up'"),
            ("Über", "expected letters A-Z and a-z, digits and '_', starting with a letter\n"),
            ("123", "expected letters A-Z and a-z, digits and '_', starting with a letter\n"),
            ("", "the name is empty\n"),
            ("class", "the name is a Swift keyword; try 'ClassComponent'"),
            ("host", "hosts log and count themselves under this name; try 'HostComponent'"),
            ("Self", "the name is a Swift keyword; try 'SelfComponent'"),
            ("String", "Swift or HSLink has a module or type with this name; try 'StringComponent'"),
            ("Route", "Swift or HSLink has a module or type with this name; try 'RouteComponent'"),
            ("ComponentKit", "Swift or HSLink has a module or type with this name; try 'ComponentKitComponent'"),
            // SwiftPM builds no package with a target that HSLink has, although nothing uses it.
            ("PageKit", "Swift or HSLink has a module or type with this name; try 'PageKitComponent'"),
            ("SystemSupport", "Swift or HSLink has a module or type with this name; try 'SystemSupportComponent'"),
            ("EMAccount", "Swift or HSLink has a module or type with this name; try 'EMAccountComponent'"),
            (
                String(repeating: "a", count: 65),
                "expected at most 64 characters, found 65; try '\(String(repeating: "a", count: 64))'"
            ),
        ])
    func refused(name: String, reason: String) async throws {
        for command in ["component", "contract", "workspace", "host"] {
            let run = try await make(command, name)
            #expect(run.status == 64)
            #expect(run.standardError.contains("is invalid for '<name>': \(reason)"), "\(run.standardError)")
            #expect(run.standardError.contains("See 'hslink new \(command) --help'"))
        }
        #expect(try names() == [])
    }

    @Test(
        "the class has the component's name with the suffix Link, unless the name has it",
        arguments: [
            ("Weather", "WeatherLink", "@Component(version"),
            ("VideoLink", "VideoLink", "@Component(\"VideoLink\", version"),
            ("weather_2", "weather_2Link", "@Component(version"),
            ("Link", "Link", nil), (String(repeating: "a", count: 64), String(repeating: "a", count: 64) + "Link", nil),
        ])
    func classes(name: String, linkClass: String, declaration: String?) async throws {
        let run = try await make("component", name)
        guard let declaration else {
            #expect(run.status == (name == "Link" ? 64 : 0))
            return
        }
        #expect(
            run.standardOutput.hasPrefix(
                "\(directory.path)/\(name): a component in Swift with the class \(linkClass)\n"))
        let source = try text("\(name)/Sources/\(name)/\(name).swift")
        #expect(source.contains("final class \(linkClass) {"))
        #expect(source.contains(declaration))
        #expect(source.contains("@Route(\"\(name.lowercased())://greet/:name\")"))
        #expect(try text("\(name)/README.md").contains("hslink open \(name.lowercased())://greet/Ada --plugins"))
    }

    @Test("the class of a bridge derives from HSLinkClass, and each side names the class of the other")
    func bridge() async throws {
        let run = try await make("component", "VideoLink", "--bridge")
        #expect(
            run.standardOutput.hasPrefix(
                "\(directory.path)/VideoLink: a component in Swift with the class VideoLink\n"))
        let sources = "VideoLink/Sources/VideoLink"
        #expect(try text("\(sources)/VideoLink.swift").contains("struct VideoLinkComponent {}"))
        #expect(
            try text("\(sources)/Providing.swift")
                .contains("final class VideoLink: HSLinkClass, @unchecked Sendable {"))
        #expect(try text("\(sources)/Requiring.swift").contains("className: \"VideoLinkHost\""))
        let tests = try text("VideoLink/Tests/VideoLinkTests/VideoLinkTests.swift")
        #expect(tests.contains("final class VideoLinkHost: HSLinkClass, @unchecked Sendable {"))
        #expect(tests.contains("className: \"VideoLink\""))
        #expect(try text("VideoLink/README.md").contains("`Sources/VideoLink/Providing.swift`"))
    }

    @Test(
        "each variant creates its files and prints the next steps",
        arguments: [
            (
                ["component"],
                [
                    ".gitignore", "Package.swift", "README.md", "Sources/Weather/Weather.swift",
                    "Tests/WeatherTests/WeatherTests.swift", "component.map",
                ], "swift build --package-path"
            ),
            (
                ["component", "--contract"],
                [
                    ".gitignore", "Package.swift", "README.md", "Sources/Weather/Weather.swift",
                    "Sources/WeatherContract/WeatherService.swift", "Tests/WeatherTests/WeatherTests.swift",
                    "component.map",
                ], "swift build --package-path"
            ),
            (
                ["component", "--bridge"],
                [
                    ".gitignore", "Package.swift", "README.md", "Sources/Weather/Providing.swift",
                    "Sources/Weather/Requiring.swift", "Sources/Weather/Weather.swift",
                    "Tests/WeatherTests/WeatherTests.swift", "component.map",
                ], "swift build --package-path"
            ),
            (
                ["component", "--c"], [".gitignore", "Makefile", "README.md", "Weather.c", "component.map"] + headers,
                "make -C"
            ),
            (
                ["component", "--cxx"],
                [".gitignore", "Makefile", "README.md", "Weather.cpp", "component.map"] + headers, "make -C"
            ),
            (
                ["component", "--rust"],
                [".gitignore", "Makefile", "README.md", "Weather.rs", "include/hslink.rs"] + headers, "make -C"
            ),
            (
                ["host"],
                [
                    ".gitignore", "Package.swift", "README.md", "Sources/Weather/Weather.swift",
                    "Sources/Weather/WeatherHome.swift", "Tests/WeatherTests/WeatherTests.swift",
                    "components/.gitignore",
                ], "swift build --package-path"
            ),
            (
                ["workspace"],
                [
                    ".gitignore", "Package.swift", "README.md", "Sources/Weather/Weather.swift",
                    "Sources/WeatherContract/WeatherService.swift", "Sources/WeatherGreeter/WeatherGreeter.swift",
                    "Sources/WeatherGuest/WeatherGuest.swift", "Tests/WeatherTests/WeatherTests.swift",
                    "component.map",
                ], "swift build --package-path"
            ),
        ])
    func layout(variant: [String], files: [String], build: String) async throws {
        let run = try await hslink(["new"] + variant + ["Weather", "--path", directory.path])
        #expect(run.status == 0)
        #expect(run.standardError == "")
        let folder = directory.path(of: "Weather")
        // The versions of this package's dependencies are copied if they are known.
        #expect(try self.files(in: folder).filter { $0 != "Package.resolved" } == files.sorted())
        let lines = run.standardOutput.split(separator: "\n").map(String.init)
        #expect(lines.contains("  \(build) \(folder)"))
        #expect(lines.last?.contains(folder) == true)
        for file in files { #expect(lines.contains("  \(file)")) }
        #expect(try names() == ["Weather"])
        for place in [folder] + files.map({ "\(folder)/\($0)" }) {
            let mode = try FileManager.default.attributesOfItem(atPath: place)[.posixPermissions] as? Int
            #expect((mode ?? 0o777) & 0o22 == 0, "\(place)")
        }
    }

    private static let headers = [
        "hslink.h", "hslink_configuration.h", "hslink_data.h", "hslink_extensions.h", "hslink_helpers.h",
        "hslink_host.h", "hslink_layout.h", "hslink_manifest.h", "hslink_resources.h", "hslink_values.h",
    ].map { "include/\($0)" }

    @Test("a package depends on this one, on one in a directory, or on one at a URL")
    func sources() async throws {
        let checkout = BuiltProducts.packageDirectory.path
        try await expectDependency("A", [], on: checkout)
        try await expectDependency("B", ["--hslink", "\(checkout)/Sources/.."], on: checkout)
        let url = ["--url", "https://example.com/some/hslink-kit.git", "--from", "1.2.3"]
        let line = #".package(url: "https://example.com/some/hslink-kit.git", from: "1.2.3", traits: [])"#
        try await expectDependency("C", url, line: line, product: #"package: "hslink-kit")"#)
        let odd = "a \"b\"\t\\(c)"
        try addPackage(odd)
        try await expectDependency(
            "D", ["--hslink", directory.path(of: odd)],
            line: #".package(name: "HSLink", path: "../a \"b\"\t\\(c)", traits: [])"#)
    }

    private func expectDependency(_ name: String, _ options: [String], on checkout: String) async throws {
        // The checkout may be beside the temporary directory.
        let near = PackageSource.nearPath(of: checkout, from: directory.path(of: name))
        try await expectDependency(
            name, options, line: ".package(name: \"HSLink\", path: \"\(near)\", traits: [])")
    }

    private func expectDependency(
        _ name: String, _ options: [String], line: String, product: String = #"package: "HSLink")"#
    ) async throws {
        for (command, suffix) in [("component", ""), ("contract", "Contract"), ("workspace", ""), ("host", "")] {
            let run = try await hslink(["new", command, name + command, "--path", directory.path] + options)
            #expect(run.status == 0, "\(run)")
            let manifest = try text("\(name + command)\(suffix)/Package.swift")
            #expect(manifest.contains("        \(line)\n"), "\(manifest)")
            #expect(manifest.contains(#".product(name: "ComponentKit", \#(product)"#), "\(manifest)")
        }
    }

    /// Adds the parts of a package by which `hslink new` recognises HSLink.
    private func addPackage(_ name: String) throws {
        try directory.makeDirectory("\(name)/Sources/Boundary/CHSLink/include")
        try directory.write("", to: "\(name)/Package.swift")
        try directory.write("", to: "\(name)/Sources/Boundary/CHSLink/include/hslink.h")
    }

    @Test(
        "a package names a directory that lies beside it by a relative path",
        arguments: [
            ("/code/HSLink", "/code/Greeter", "../HSLink"), ("/code/kits/HSLink", "/code/Greeter", "../kits/HSLink"),
            ("/code/HSLink", "/code/teams/Greeter", "../../HSLink"), ("/code/HSLink", "/code/HSLink/Greeter", ".."),
            ("/code/HSLink", "/code/teams/blue/Greeter", "/code/HSLink"),
            ("/code/HSLink", "/other/Greeter", "/code/HSLink"), ("/HSLink", "/Greeter", "/HSLink"),
            ("/code/HSLink", "/codebase/Greeter", "/code/HSLink"),
        ])
    func near(path: String, package: String, named: String) {
        #expect(PackageSource.nearPath(of: path, from: package) == named)
    }

    @Test("a provider and a consumer depend on a contract in a package of its own")
    func contract() async throws {
        let made = try await make("contract", "Weather")
        #expect(made.status == 0, "\(made)")
        let folder = directory.path(of: "WeatherContract")
        #expect(made.standardOutput.hasPrefix("\(folder): a contract with the service WeatherService\n"))
        #expect(
            try files(in: folder).filter { $0 != "Package.resolved" } == [
                ".gitignore", "Package.swift", "README.md", "Sources/WeatherContract/WeatherService.swift",
                "Tests/WeatherContractTests/WeatherContractTests.swift",
            ])
        #expect(try text("WeatherContract/Package.swift").contains("targets: [\"WeatherContract\"])"))
        // The name may have the suffix already.
        #expect(try await make("contract", "TideContract").status == 0)
        #expect(try text("TideContract/Sources/TideContract/TideService.swift").contains("protocol TideService:"))

        for (name, option, word) in [
            ("Weather", "--provides", "provides: (any WeatherService).self"),
            ("Travel", "--uses", "requires: [.service((any WeatherService).self)]"),
        ] {
            let run = try await make("component", name, option, folder)
            #expect(run.status == 0 && run.standardError == "", "\(run)")
            let manifest = try text("\(name)/Package.swift")
            #expect(manifest.contains(#"        .package(name: "WeatherContract", path: "../WeatherContract"),\#n"#))
            let product = #".product(name: "WeatherContract", package: "WeatherContract"),"#
            #expect(manifest.ranges(of: product).count == 2, "\(manifest)")
            #expect(try text("\(name)/Sources/\(name)/\(name).swift").contains(word))
        }

        // HSLink from two places would be refused by SwiftPM.
        let other = try await make(
            "component", "Other", "--uses", folder, "--url", "https://example.com/hslink.git", "--from", "1.0.0")
        #expect(other.status == 0, "\(other)")
        #expect(
            other.standardError.hasPrefix("Warning: \(folder)/Package.swift seems to take HSLink from another place"),
            "\(other)")
    }

    @Test("a folder that is no contract is refused", arguments: ["--provides", "--uses"])
    func noContract(option: String) async throws {
        let none = try await make("component", "Weather", option, directory.path(of: "None"))
        #expect(none.status == 64, "\(none)")
        let reason = "Error: \(directory.path)/None: cannot be used: No such file or directory\n"
        #expect(none.standardError.hasPrefix(reason), "\(none)")
        try directory.makeDirectory("Some")
        let some = try await make("component", "Weather", option, directory.path(of: "Some"))
        #expect(some.status == 64, "\(some)")
        let expected = "Some: expected a package with Sources/Some, as 'hslink new contract' makes it\n"
        #expect(some.standardError.contains(expected), "\(some)")
        #expect(try await make("component", "Weather", "--url", "u", "--from", "1.0.0").status == 0)
        let component = try await make("component", "Other", option, directory.path(of: "Weather"))
        #expect(component.status == 64, "\(component)")
        #expect(component.standardError.contains("Weather: expected a contract, found a component; "), "\(component)")
        #expect(try names() == ["Some", "Weather"])
    }

    @Test(
        "missing and conflicting options are errors",
        arguments: [
            (["--url", "https://example.com/a.git"], "--url and --from belong together: --from is missing"),
            (["--from", "1.0.0"], "--url and --from belong together: --url is missing"),
            (["--url", "u", "--from", "1"], "--from: expected a version such as 1.2.0, found '1'"),
            (["--url", "u", "--from", "1.0.0", "--hslink", "."], "expected --hslink or --url, found both"),
            (["--hslink", "/"], "--hslink: expected a checkout of the HSLink package, found '/'"),
            (["--path", ""], "--path: expected a value, found an empty string"),
            (["--c", "--contract"], "--contract applies to Swift only, not to --c"),
            (["--rust", "--bridge"], "--bridge applies to Swift only, not to --rust"),
            (["--contract", "--bridge"], "expected --contract or --bridge, found both"),
            (["--bridge", "--uses", "a"], "expected --bridge or --uses, found both"),
            (["--provides", "a", "--uses", "a"], "expected --provides or --uses, found both"),
            (["--c", "--uses", "a"], "--uses applies to Swift only, not to --c"),
            (["--rust", "--url", "u", "--from", "1.0.0"], "--url applies to Swift only"),
            (["--provides", "a.so", "--rust"], "--provides applies to Swift, C and C++ only, not to --rust"),
            (["--c", "--service", "a/1"], "--service needs --provides, and --c or --cxx"),
            (["--provides", "a", "--service", "a/1"], "--service needs --provides, and --c or --cxx"),
            (["--c", "--rust"], "Value to be set with flag '--rust'"),
        ])
    func options(options: [String], reason: String) async throws {
        let run = try await hslink(["new", "component", "Weather"] + options)
        #expect(run.status == 64, "\(run)")
        #expect(run.standardError.contains(reason), "\(run.standardError)")
    }

    @Test("existing files are kept; an empty folder is used")
    func existing() async throws {
        try directory.makeDirectory("Full")
        try directory.write("mine", to: "Full/.notes")
        try directory.write("mine", to: "File")
        try directory.makeDirectory("Empty")
        try directory.link("Link1", to: directory.path(of: "Empty"))
        for (name, words) in [
            ("Full", "already exists and is not empty; choose another name, or another directory with --path"),
            ("File", "already exists and is not a folder"),
            ("Link1", "already exists and is not a folder"),
        ] {
            let run = try await make("component", name, "--c")
            #expect(run.status == 1)
            #expect(run.standardOutput == "")
            #expect(run.standardError.contains("Error: \(directory.path)/\(name): "), "\(run)")
            #expect(run.standardError.contains(words), "\(run)")
        }
        #expect(try names() == ["Empty", "File", "Full", "Link1"])
        #expect(try files(in: directory.path(of: "Full")) == [".notes"])
        #expect(try await make("component", "Empty", "--c").status == 0)
        #expect(try files(in: directory.path(of: "Empty")).contains("Empty.c"))
        let nowhere = try await hslink("new", "component", "Weather", "--path", "/nowhere/at/all")
        #expect(nowhere == failed("Error: /nowhere/at/all: cannot be used: No such file or directory"))
    }

    /// The parts of a package that `hslink new` reads, with a header that is not a regular file.
    private func oddPackage(_ make: (String) throws -> Void) throws -> String {
        try directory.write("", to: "Package.swift")
        try directory.makeDirectory("Sources/Boundary/CHSLink/include")
        try directory.write("", to: "Sources/Boundary/CHSLink/include/hslink.h")
        try make(directory.path(of: "Sources/Boundary/CHSLink/include/hslink_odd.h"))
        try directory.makeDirectory("place")
        return directory.path
    }

    @Test("a failure leaves nothing behind")
    func failure() async throws {
        let package = try oddPackage {
            try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false)
        }
        let run = try await hslink(
            "new", "component", "Weather", "--c", "--hslink", package, "--path", directory.path(of: "place"))
        let header = "\(package)/Sources/Boundary/CHSLink/include/hslink_odd.h"
        #expect(run == failed("Error: \(header): cannot be read: Is a directory"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path(of: "place")) == [])
    }

    @Test("a folder whose files cannot be listed stays, and the error says that it is there")
    func unlisted() async throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let run = try await ProgramRun.of(
            BuiltProducts.hslink, ["new", "component", "Weather", "--c", "--path", directory.path], output: full)
        #expect(
            run
                == failed(
                    "Error: \(directory.path)/Weather was created, but the result could not be written to standard "
                        + "output: No space left on device"))
        #expect(try names() == ["Weather"])
        #expect(try files(in: directory.path(of: "Weather")).contains("Makefile"))
    }

    @Test("a signal leaves nothing behind", arguments: [SIGINT, SIGTERM, SIGHUP])
    func interrupted(signal: Int32) async throws {
        // It waits there for a writer.
        let package = try oddPackage { path in
            let isMade = unsafe mkfifo(path, 0o600) == 0
            try #require(isMade)
        }
        let place = directory.path(of: "place")
        let program = try StartedProgram([
            "new", "component", "Weather", "--c", "--hslink", package, "--path", place,
        ])
        let hasBegun = await holds { (try? FileManager.default.contentsOfDirectory(atPath: place).isEmpty) == false }
        #expect(hasBegun)
        // Send it again, because the first signal may have arrived just before it began to wait.
        let hasEnded = await holds {
            program.signal(signal)
            return !program.isRunning
        }
        #expect(hasEnded)
        #expect(await program.status() == 128 + signal)
        #expect(program.output == "")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place) == [])
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: directory.path(of: name), encoding: .utf8)
    }

    private func files(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
            var isFolder: ObjCBool = false
            return unsafe FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }
}
