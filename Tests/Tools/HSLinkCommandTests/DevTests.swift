import Foundation
import TestSupport
import Testing

@Suite("hslink dev")
struct DevTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var folder: String { directory.path(of: "Weather") }

    /// The folder of a component in C, as created by `hslink new`.
    private func makeComponent() async throws {
        let made = try await hslink("new", "component", "Weather", "--c", "--path", directory.path)
        try #require(made.status == 0, "\(made)")
    }

    /// Changes the text of the source like an editor: writes a new file and renames it.
    private func replace(_ words: String, with other: String) throws {
        let source = "\(folder)/Weather.c"
        let text = try String(contentsOfFile: source, encoding: .utf8)
        let changed = text.replacing(words, with: other)
        try #require(changed != text)
        try changed.write(toFile: source, atomically: true, encoding: .utf8)
    }

    @Test("it builds and calls after every change, and shows the compiler's messages")
    func changes() async throws {
        try await makeComponent()
        let program = try StartedProgram(["dev", folder, "--call", "WeatherLink greet 'name=Ada L' --class-method"])
        #expect(await holds { program.output == "\"Hello, Ada L!\"\n" }, "\(program.log)")
        #expect(await program.logs("waiting for changes"))
        let library = "\(folder)/.build/hslink-dev/libWeather.so"
        let mode = try FileManager.default.attributesOfItem(atPath: library)[.posixPermissions] as? Int
        #expect(mode == 0o755)

        try replace("Hello, ", with: "Howdy, ")
        #expect(await holds { program.output.hasSuffix("\"Howdy, Ada L!\"\n") }, "\(program.log)")

        try replace("length += name->length;", with: "length += nam->length;")
        #expect(await program.logs("the build failed (status 2); waiting for changes"))
        // The compiler's own lines, with the place.
        #expect(program.log.contains("Weather.c:"))
        #expect(program.log.contains("error: "))
        #expect(program.log.contains("nam->length"))
        let answers = program.output

        try replace("length += nam->length;", with: "length += name->length; /* mended */")
        #expect(await holds { program.output == answers + "\"Howdy, Ada L!\"\n" }, "\(program.log)")

        // A failed call prints the reason, and the command waits for the next change.
        try replace("name->length > NAME_BYTES", with: "1")
        #expect(await program.logs("Error: greet of WeatherLink in Weather: name: expected at most 200 bytes"))
        try replace("if (1)", with: "if (name->length > NAME_BYTES)")
        #expect(await holds { program.output == answers + "\"Howdy, Ada L!\"\n\"Howdy, Ada L!\"\n" }, "\(program.log)")

        #expect(await program.end(SIGINT) == 130)
        #expect(!program.log.contains("\u{1B}"))
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/.build/hslink-dev")
        #expect(left == ["libWeather.so"])
    }

    @Test("it copies the resources of the component, and does so again when they change")
    func resources() async throws {
        try await makeComponent()
        try directory.makeDirectory("Weather/Weather.resources")
        try directory.write("sunny", to: "Weather/Weather.resources/sky.txt")
        let program = try StartedProgram(["dev", folder])
        func copied() -> String? {
            try? String(contentsOfFile: "\(folder)/.build/hslink-dev/Weather.resources/sky.txt", encoding: .utf8)
        }
        #expect(await holds { copied() == "sunny" }, "\(program.log)")
        try directory.write("cloudy", to: "Weather/Weather.resources/sky.txt")
        #expect(await holds { copied() == "cloudy" }, "\(program.log)")
        #expect(await program.end(SIGINT) == 130)
    }

    @Test("it copies the bundle that SwiftPM makes of a component's resources")
    func bundle() async throws {
        try await makeComponent()
        // Where a build puts it; hidden folders are no sources.
        try directory.makeDirectory("Weather/.build/Package_Weather.resources")
        try directory.write("sunny", to: "Weather/.build/Package_Weather.resources/sky.txt")
        let program = try StartedProgram(["dev", folder])
        #expect(await program.logs("waiting for changes"))
        let copy = "\(folder)/.build/hslink-dev/Package_Weather.resources/sky.txt"
        #expect(try String(contentsOfFile: copy, encoding: .utf8) == "sunny")
        #expect(await program.end(SIGINT) == 130)
    }

    @Test("in a build folder that packages share, only the components of the package are taken")
    func sharedFolder() async throws {
        try directory.makeDirectory("Weather")
        try directory.write("// products: [.library(name: \"CGood\")]", to: "Weather/Package.swift")
        // In place of SwiftPM, which would take minutes.
        try directory.makeDirectory("bin")
        let files = [try Fixtures.file("CGood").path, try Fixtures.file("CxxGood").path].joined(separator: "' '")
        try directory.write(
            "#!/bin/sh\nmkdir -p \"$SWIFTPM_BUILD_DIR/debug\" && cp '\(files)' \"$SWIFTPM_BUILD_DIR/debug/\"\n",
            to: "bin/swift")
        try directory.setMode(0o755, of: "bin/swift")
        let program = try StartedProgram(
            ["dev", folder],
            environment: [
                "SWIFTPM_BUILD_DIR": directory.path(of: "shared"), "PATH": "\(directory.path(of: "bin")):/usr/bin:/bin",
            ])
        #expect(await program.logs("waiting for changes"))
        let copied = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/.build/hslink-dev")
        #expect(copied == ["libCGood.so"], "\(program.log)")
        #expect(await program.end(SIGINT) == 130)
    }

    @Test("without --call, the components are listed")
    func lists() async throws {
        try await makeComponent()
        let place = directory.path(of: "place/of/the/host")
        let program = try StartedProgram(["dev", folder, "--components", place])
        #expect(await program.logs("waiting for changes"))
        #expect(
            program.output.contains("Weather  0.1.0    -      available  \(place)/libWeather.so"), "\(program.output)")
        #expect(await program.end(SIGTERM) == 143)
    }

    @Test("a running host rescans its directories, and takes the call")
    func host() async throws {
        try await makeComponent()
        try await withPlugins { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path])
            let program = try StartedProgram([
                "dev", folder, "--components", plugins.path, "--host", host.socket, "--call",
                "WeatherLink greet name=Ada --class-method",
            ])
            #expect(await holds { program.output == "\"Hello, Ada!\"\n" }, "\(program.log)")
            #expect(program.log.contains("Weather  0.1.0    -      available  \(plugins.path)/libWeather.so"))
            // The host keeps the component in memory, so its answer would be that of the first build.
            let message = "the host at \(host.socket) still has the old code of Weather in memory and was not called; "
            var messages: Int { program.log.ranges(of: message).count }
            try replace(#"\"version\": \"0.1.0\""#, with: #"\"version\": \"0.2.0\""#)
            #expect(await holds { messages == 1 }, "\(program.log)")
            #expect(program.log.contains("restart to use 0.2.0"), "\(program.log)")
            // Another build of the same version.
            try replace("Hello, ", with: "Howdy, ")
            #expect(await holds { messages == 2 }, "\(program.log)")
            #expect(program.output == "\"Hello, Ada!\"\n")
            #expect(await program.end(SIGINT) == 130)
            #expect(await host.end() == 0)
        }
    }

    @Test("a host of its own is restarted after each build, and answers with the new code")
    func ownHost() async throws {
        try await makeComponent()
        // What the host writes beside the sources is none of them.
        let data = directory.path(of: "Weather/data of dev")
        let program = try StartedProgram([
            "dev", folder, "--run", "--data '\(data)'", "--call", "WeatherLink greet name=Ada --class-method",
        ])
        #expect(await holds { program.output == "\"Hello, Ada!\"\n" }, "\(program.log)")
        let socket = try #require(program.log.firstMatch(of: /the host at (\S+) has this build/), "\(program.log)").1
        let call = ["call", "--host", String(socket), "WeatherLink", "greet", "name=Bob", "--class-method"]
        #expect(try await hslink(call) == printed(#""Hello, Bob!""#))

        try replace("Hello, ", with: "Howdy, ")
        let answers = "\"Hello, Ada!\"\n\"Howdy, Ada!\"\n"
        #expect(await holds { program.output == answers }, "\(program.log)")
        #expect(try await hslink(call) == printed(#""Howdy, Bob!""#))

        // The host goes on, and is not asked: its answer would be that of the build before.
        try replace("length += name->length;", with: "length += nam->length;")
        #expect(await program.logs("the host still has the previous build; waiting for changes"), "\(program.log)")
        #expect(try await hslink(call) == printed(#""Howdy, Bob!""#))
        try replace("length += nam->length;", with: "length += name->length; /* mended */")
        #expect(await holds { program.output == answers + "\"Howdy, Ada!\"\n" }, "\(program.log)")

        // What happens to the host is told, and the next build starts it again.
        let hosts = program.log.matches(of: /the host at \S+ has this build/).count
        #expect(hosts == 3)
        try #require(try await process(at: String(socket)) > 1)
        kill(try await process(at: String(socket)), SIGKILL)
        #expect(await program.logs("the host has ended (status 137); the next build starts it again"), "\(program.log)")
        try replace("Howdy, ", with: "Servus, ")
        #expect(await holds { program.output.hasSuffix("\"Servus, Ada!\"\n") }, "\(program.log)")

        let last = try await process(at: String(socket))
        #expect(await program.end(SIGINT) == 130)
        #expect(kill(last, 0) == -1)
        #expect(!FileManager.default.fileExists(atPath: String(socket)))
    }

    /// Returns the process of the host at a socket.
    private func process(at socket: String) async throws -> Int32 {
        let listed = try await hslink("list", "--host", socket, "--json")
        let content = try JSONSerialization.jsonObject(with: Data(listed.standardOutput.utf8)) as? [String: Any]
        return Int32(try #require(content?["process"] as? Int))
    }

    @Test("a signal ends it at once, with all processes that it has started", arguments: [SIGINT, SIGTERM, SIGHUP])
    func children(signal: Int32) async throws {
        try directory.makeDirectory("Weather")
        // Processes in a separate group, one of them orphaned, as build systems leave them.
        let script = "setsid sh -c 'echo $$$$ >>started; sleep 1000 & echo $$! >>started; wait' & wait"
        try directory.write("all:\n\t\(script)\n", to: "Weather/Makefile")
        let program = try StartedProgram(["dev", folder])
        func started() -> [Int32] {
            let text = (try? String(contentsOfFile: "\(folder)/started", encoding: .utf8)) ?? ""
            return text.split(separator: "\n").compactMap { Int32($0) }
        }
        #expect(await holds { started().count == 2 })
        #expect(await program.end(signal) == 128 + signal)
        // Their new parent removes them a moment later.
        for process in started() { #expect(await holds { kill(process, 0) == -1 }, "\(process) goes on") }
    }

    @Test("a build that changes a source itself is not repeated for ever")
    func ownChanges() async throws {
        try directory.makeDirectory("Weather")
        try directory.write("all:\n\t@echo built >>builds.log\n", to: "Weather/Makefile")
        let program = try StartedProgram(["dev", folder])
        let reason = "since \(folder)/builds.log changes during it; waiting for another change\n"
        var builds: Int { program.log.split(separator: "\n").count { $0.hasPrefix("make ") } }
        #expect(await program.logs(reason), "\(program.log)")
        #expect(builds == 3)
        try directory.write("int a;", to: "Weather/a.c")
        #expect(await holds { program.log.ranges(of: reason).count == 2 }, "\(program.log)")
        #expect(builds == 6)
        #expect(await program.end(SIGINT) == 130)
    }

    @Test("a removed folder ends it with the reason")
    func gone() async throws {
        try await makeComponent()
        let program = try StartedProgram(["dev", folder])
        #expect(await program.logs("waiting for changes"))
        try FileManager.default.removeItem(atPath: folder)
        #expect(await program.status() == 1)
        #expect(program.log.contains("Error: \(folder): the folder is gone\n"))
    }

    @Test("a package that cannot be built at all is an error at once")
    func nothing() async throws {
        try directory.makeDirectory("Empty")
        let empty = directory.path(of: "Empty")
        #expect(
            try await hslink("dev", empty)
                == failed("Error: \(empty): expected a Makefile or a Package.swift, found neither"))
        #expect(
            try await hslink("dev", "/nowhere/at/all")
                == failed("Error: /nowhere/at/all: cannot be used: No such file or directory"))
        try directory.write("all:\n", to: "Empty/Makefile")
        let program = try StartedProgram(["dev", empty])
        #expect(await program.logs("but no component (.so with a manifest) was found; waiting for changes"))
        #expect(await program.end(SIGINT) == 130)
    }

    @Test(
        "a wrong command line is an error before anything is built",
        arguments: [
            (["--call", "WeatherLink"], "--call: expected a class and a selector"),
            (["--call", "A b 'c=d"], "--call: a quotation mark is not closed, or a backslash ends the string"),
            (["--call", "A b password=@?"], "--call: values cannot be read from the terminal or standard input"),
            (["--call", "A b --nope"], "--call: Unknown option '--nope'"),
            (["--call", "A b plain"], "--call: expected a payload as JSON, @FILE or key=value"),
            (["--host", "socket"], "--host needs --components with one of the directories that the host scans"),
            (["--components", ""], "--components: expected a directory, found an empty string"),
            (["--run", "", "--host", "a", "--components", "b"], "expected --run or --host, found both"),
            (["--run", "--data 'a"], "--run: a quotation mark is not closed, or a backslash ends the string"),
            (["--run", "--nope"], "--run: Unknown option '--nope'"),
            (["--run", "--control none"], "--run: the call needs the control socket"),
        ])
    func misuse(options: [String], reason: String) async throws {
        let run = try await hslink(["dev", directory.path] + options)
        #expect(run.status == 64, "\(run)")
        #expect(run.standardError.hasPrefix("Error: \(reason)"), "\(run.standardError)")
        #expect(run.standardError.contains("\nUsage: hslink dev "))
    }
}
