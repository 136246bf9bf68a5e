import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentHost

@Suite("Files of a configuration, in JSON and YAML")
struct ConfigurationFileTests {
    /// Makes a host whose configuration is this text in a file.
    private static func withHost(
        _ text: String, as name: String, isSecret: Bool = false, _ body: (LinkHost) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(text, to: name)
        var options = HostOptions.quiet
        var configuration = HostConfiguration(files: isSecret ? [] : [file], environmentPrefix: nil)
        if isSecret { configuration.secrets = [file] }
        options.configuration = configuration
        let host = try Depth.file.host(options: options)
        try await body(host)
        await host.stop()
    }

    /// Returns what is wrong with the file or with what it says, without the path of the file.
    private static func problems(_ text: String, as name: String, isSecret: Bool = false) async throws -> [String] {
        var found: [String] = []
        try await withHost(text, as: name, isSecret: isSecret) { (host: LinkHost) async throws in
            do throws(LinkError) {
                found = try host.configurationProblems()
            } catch {
                found = [error.message]
            }
        }
        return found.map { problem in
            problem.split(separator: " ").map { $0.contains("/hslink-") ? "FILE" : String($0) }.joined(separator: " ")
        }
    }

    static let kinds: [(section: String, key: String, expected: String, found: String)] = [
        (#"{"retries": true}"#, "retries", "an integer (Int = 3)", "a boolean"),
        (#"{"retries": 2.0}"#, "retries", "an integer (Int = 3)", "a number with a point or an exponent"),
        (#"{"retries": "5"}"#, "retries", "an integer (Int = 3)", "a string"),
        (#"{"retries": [5]}"#, "retries", "an integer (Int = 3)", "a list"),
        (#"{"retries": {"a": 1}}"#, "retries", "an integer (Int = 3)", "a section"),
        (
            #"{"retries": 18446744073709551615}"#, "retries", "an integer (Int = 3)",
            "an integer beyond 9223372036854775807"
        ),
        (#"{"timeout": true}"#, "timeout", "a number (Double = 30)", "a boolean"),
        (#"{"verbose": 7}"#, "verbose", "true or false (Bool = false)", "an integer"),
        (
            #"{"verbose": 0.5}"#, "verbose", "true or false (Bool = false)",
            "a number with a point or an exponent"
        ),
        (#"{"mirrors": [null]}"#, "mirrors", "a list of strings ([String] = [])", "a list with nothing"),
        (#"{"mirrors": [["a"]]}"#, "mirrors", "a list of strings ([String] = [])", "a list with a list or a section"),
        (#"{"weights": [1, true, 2.0]}"#, "weights", "a list of numbers ([Double] = [])", "a list with a boolean"),
        (#"{"proxy": "http://x"}"#, "proxy", "a section", "a string"),
        (#"{"proxy": [1]}"#, "proxy", "a section", "a list"),
        (#"{"cache": 5}"#, "cache", "a section", "an integer"),
    ]

    @Test("a value of another kind is refused alike in both formats", arguments: ["host.json", "host.yaml"])
    func wrongKinds(name: String) async throws {
        for (section, key, expected, found) in Self.kinds {
            let problems = try await Self.problems(#"{"FixtureComponent": \#(section)}"#, as: name)
            let problem = "FixtureComponent.\(key) in FILE expected \(expected), found \(found)"
            #expect(problems == [problem], "\(section)")
        }
        for value in ["5", #""hello""#, "[1, 2]"] {
            let problems = try await Self.problems(#"{"FixtureComponent": \#(value)}"#, as: name)
            #expect(problems.count == 1 && problems[0].hasPrefix("FixtureComponent in FILE expected a section"))
        }
    }

    @Test("an integer is a number in both formats, rounded if it is large", arguments: ["host.json", "host.yaml"])
    func integersAsNumbers(name: String) async throws {
        for (text, number) in [
            ("5", 5.0), ("9007199254740993", 9_007_199_254_740_992),
            ("18446744073709551615", 18_446_744_073_709_551_616),
        ] {
            try await Self.withHost(#"{"FixtureComponent": {"timeout": \#(text)}}"#, as: name) {
                (host: LinkHost) async throws in
                let options = try await host.call("ConfiguredLink", "options")
                #expect(try options["timeout"]?.double() == number)
            }
        }
    }

    @Test(
        "what stands between colons in YAML is a text, however large",
        arguments: ["1:30", "1:9223372036854775807", "10:20:30:40:50:60:70:80:90:11:12", "99:99:99:99:99:99:99:99.5"])
    func colons(text: String) async throws {
        for (key, expected) in [
            ("retries", "an integer (Int = 3)"), ("timeout", "a number (Double = 30)"),
            ("verbose", "true or false (Bool = false)"),
        ] {
            let problems = try await Self.problems(
                "FixtureComponent:\n  \(key): \(text)\nOther:\n  mac: \(text)", as: "a.yml")
            #expect(problems == ["FixtureComponent.\(key) in FILE expected \(expected), found a string"])
        }
    }

    @Test("a link that others could have made is refused, although its target is not theirs")
    func links() async throws {
        let directory = try TemporaryDirectory()
        try directory.makeDirectory("open")
        _ = try directory.write(#"{"FixtureComponent": {"retries": 4}}"#, to: "host.json")
        try directory.link("open/host.json", to: directory.path(of: "host.json"))
        try directory.link("linked.json", to: directory.path(of: "host.json"))
        try directory.setMode(0o777, of: "open")
        for (file, words) in [("open/host.json", "writable by everyone"), ("linked.json", "")] {
            var options = HostOptions.quiet
            options.configuration = HostConfiguration(
                files: [directory.path(of: file)], environmentPrefix: nil)
            let host = try Depth.file.host(options: options)
            do throws(LinkError) {
                #expect(try host.configurationProblems() == [])
                #expect(words.isEmpty)
            } catch {
                #expect(!words.isEmpty && error.message.contains(words), "\(error.message)")
            }
            await host.stop()
        }
    }

    static let malformed: [(text: String, name: String, reason: String)] = [
        ("null", "a.json", "expected a section for each component, found something else"),
        ("[1]", "a.yaml", "expected a section for each component, found something else"),
        (#"{"host.b": {"c": 1}, "host": {"b.c": 2}}"#, "a.json", "the key host.b.c occurs twice"),
        (#"{"host.b": {"c": 1}, "host": {"b.c": 2}}"#, "a.yaml", "the key host.b.c occurs twice"),
        (#"{"A": {"b": {"c": 1}, "b.c": 2}}"#, "a.json", "the key A.b.c occurs twice"),
        (#"{"A": {"b": 1, "b.c": 2}}"#, "a.yaml", "the key A.b occurs twice"),
        ("A: {hunter2, hunter2}", "a.yaml", "line 1, column 5: a key occurs twice"),
        ("A:\n  t: hunter2: x", "a.yaml", "line 2, column 13: mapping values are not allowed in this context"),
        ("A: {? [x] : 1}", "a.yaml", "line 1, column 7: expected a string as the key, found a list"),
        ("A: {? {x: 1} : 1}", "a.yaml", "line 1, column 7: expected a string as the key, found a section"),
        ("A: &a {x: 1}\nB: {*a : 1}", "a.yaml", "line 2, column 5: expected a string as the key, found an alias"),
        ("A: *b", "a.yaml", "line 1, column 4: found undefined alias"),
        (
            #"{"A": {"t": 48151623421234567890123}}"#, "a.json",
            "A.t: expected a 64-bit integer, or a double with a point at line 1, column 13"
        ),
        (#"{"A": {"t": 1e999}}"#, "a.json", "A.t: expected a number that a double can hold at line 1, column 13"),
    ]

    @Test("a file that is deleted and written anew is read once it is complete", arguments: [false, true])
    func writtenAnew(withItsDirectory: Bool) async throws {
        let directory = try TemporaryDirectory()
        let inner = directory.path(of: "inner")
        let path = "\(inner)/host.yaml"
        func makeDirectory() throws {
            try FileManager.default.createDirectory(
                atPath: inner, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        }
        try makeDirectory()
        try Data("FixtureComponent: {timeout: 1, retries: 1}\n".utf8).write(to: URL(filePath: path))
        let log = CollectedLog()
        var options = log.options
        options.configuration = HostConfiguration(files: [path], environmentPrefix: nil)
        let host = try Depth.file.host(options: options)
        let changes = host.watch()
        let reader = Task { for await _ in changes {} }
        func values() async throws -> [String] {
            let options = try await host.call("ConfiguredLink", "options")
            return ["\(try options.double("timeout"))", "\(try options.int("retries"))"]
        }
        #expect(try await values() == ["1.0", "1"])
        if withItsDirectory {
            try FileManager.default.removeItem(atPath: inner)
            #expect(await holds { log.lines.all.contains { $0.contains("host.yaml") } })
            try makeDirectory()
        }
        try Data("FixtureComponent: {timeout: 3, retries: 1}\n".utf8).write(to: URL(filePath: path))
        // The directory is watched, and not only about to be, once its new file has been read.
        let isWatched = await holds { try await values() == ["3.0", "1"] }
        #expect(isWatched)
        // Until the changes so far have settled, which takes two seconds at most, the ones below may count as theirs.
        try await Task.sleep(for: .milliseconds(2500))
        try FileManager.default.removeItem(atPath: path)
        let start = ContinuousClock.now
        let descriptor = unsafe open(path, O_CREAT | O_WRONLY | O_EXCL, 0o600)
        try #require(descriptor >= 0)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: Data("FixtureComponent:\n  timeout: 2\n".utf8))
        // What is read now has no retries, but is no error in YAML. After two seconds it is read as it is.
        for _ in 0..<5 {
            try await Task.sleep(for: .milliseconds(100))
            let retries = try await values().last
            guard start.duration(to: .now) < .milliseconds(1500) else { break }
            #expect(retries == "1")
        }
        try file.write(contentsOf: Data("  retries: 9\n".utf8))
        try file.close()
        let isRead = await holds { try await values() == ["2.0", "9"] }
        #expect(isRead)
        await host.stop()
        await reader.value
    }

    @Test("a malformed file is refused with the reason and the place, but without a value", arguments: [false, true])
    func malformedFiles(isSecret: Bool) async throws {
        for (text, name, reason) in Self.malformed {
            let problems = try await Self.problems(text, as: name, isSecret: isSecret)
            #expect(problems == ["the configuration FILE \(reason)"], "\(text)")
        }
    }

    @Test("a file with too many values is refused quickly, also if aliases make them or keys contain them")
    func tooManyValues() async throws {
        let list = "[\((0..<9).map { _ in "*LEVEL" }.joined(separator: ", "))]"
        var aliases = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1...30 { aliases += "a\(level): &a\(level) \(list.replacing("LEVEL", with: "a\(level - 1)"))\n" }
        let maps = "a0: &a0 {x: 1}\n" + (1...30).map { "a\($0): &a\($0) {b: *a\($0 - 1), c: *a\($0 - 1)}\n" }.joined()
        let many = (0..<100_001).map { "k\($0): 1\n" }.joined()
        let limit = "it has too many values: more than 100000, with those of aliases"
        let key = "expected a string as the key"
        for (text, reason) in [(maps, limit), (many, limit), (aliases + "? *a30\n: 1\n? [*a30]\n: 2\n", key)] {
            var problems: [String] = []
            let time = try await ContinuousClock().measure {
                problems = try await Self.problems(text, as: "host.yaml")
            }
            #expect(problems.count == 1 && problems[0].contains(reason), "\(problems)")
            #expect(time < TestPatience.limit(.seconds(30)))
        }
        let flat = (0..<70_000).map { "k\($0): 1\n" }.joined()
        #expect(try await Self.problems(flat, as: "host.yaml") == [])
        #expect(try await Self.problems("FixtureComponent: &a {retries: 1}\nOther: *a\n", as: "host.yaml") == [])
    }

    @Test(
        "a number that is too large is refused, and infinity is one that says so",
        arguments: ["1e999", "-1e999", "1.8e308", "'1e999'"])
    func tooLargeNumbers(text: String) async throws {
        let found = text.hasPrefix("'") ? "a string" : "a number that a double cannot hold"
        let problem = "FixtureComponent.timeout in FILE expected a number (Double = 30), found \(found)"
        #expect(try await Self.problems("FixtureComponent: {timeout: \(text)}", as: "host.yaml") == [problem])
        try await Self.withHost("FixtureComponent: {timeout: .inf}", as: "host.yaml") {
            (host: LinkHost) async throws in
            #expect(try await host.call("ConfiguredLink", "options")["timeout"] == Payload(Double.infinity))
        }
    }

    @Test("a number of the command line that is too large is refused, also in a list")
    func tooLargeTexts() async throws {
        for (key, value, isRefused) in [
            ("timeout", "1e999", true), ("weights", "1, 1e999", true), ("timeout", "inf", false),
            ("weights", "inf, 5", false), ("timeout", "1e300", false),
        ] {
            var options = HostOptions.quiet
            var configuration = HostConfiguration(environmentPrefix: nil)
            configuration.values = ["FixtureComponent.\(key)": value]
            options.configuration = configuration
            let host = try Depth.file.host(options: options)
            let problems = try host.configurationProblems()
            #expect(problems.count == (isRefused ? 1 : 0), "\(value): \(problems)")
            #expect(problems.allSatisfy { $0.hasSuffix("found a number that a double cannot hold") }, "\(problems)")
            await host.stop()
        }
    }

    @Test("without quotation marks, no value and null are nothing in YAML; in quotation marks they are texts")
    func emptyTexts() async throws {
        let token = "FixtureComponent: {token: VALUE}"
        for (value, expected) in [
            ("", nil), ("~", nil), ("null", nil), ("''", ""), (#""""#, ""), ("'null'", "null"), ("5", "5"),
            ("!!str null", "null"), ("'*'", "*"),
        ] as [(String, String?)] {
            try await Self.withHost(token.replacing("VALUE", with: value), as: "host.yaml") {
                (host: LinkHost) async throws in
                let found = try await host.call("ConfiguredLink", "options")["token"]
                #expect((try? found?.string()) == expected, "\(value)")
                let text = try await host.call("ConfiguredLink", "string", ["key": "token"])
                #expect((try? text.string()) == expected, "\(value)")
            }
        }
    }

    @Test("a file in a directory of secrets that cannot be used counts only for its key")
    func unrelatedSecrets() async throws {
        let directory = try TemporaryDirectory()
        try directory.makeDirectory("secrets")
        try directory.write([0xFF, 0xFE, 0x00], to: "secrets/server.p12")
        try directory.write(String(repeating: "x", count: 1_100_000), to: "secrets/big.pem")
        try directory.write("hunter2", to: "secrets/FixtureComponent.token")
        var options = HostOptions.quiet
        var configuration = HostConfiguration(environmentPrefix: nil)
        configuration.secrets = [directory.path(of: "secrets")]
        options.configuration = configuration
        let host = try Depth.file.host(options: options)
        #expect(try host.configurationProblems() == [])
        #expect(try await host.call("ConfiguredLink", "options")["token"] == "hunter2")
        try directory.write([0xFF, 0xFE, 0x00], to: "secrets/FixtureComponent.token")
        try host.reloadConfiguration()
        let file = directory.path(of: "secrets/FixtureComponent.token")
        #expect(try host.configurationProblems() == ["FixtureComponent.token in \(file): it is not UTF-8"])
        try directory.write("hunter2", to: "secrets/FixtureComponent.token")
        try directory.setMode(0o777, of: "secrets")
        try host.reloadConfiguration()
        let problems = try host.configurationProblems()
        #expect(problems.count == 1 && problems[0].contains("so anyone could change the configuration"), "\(problems)")
        await host.stop()
    }

    @Test("what is no file in a directory of secrets is said to be none, instead of missing")
    func oddSecrets() async throws {
        let directory = try TemporaryDirectory()
        let place = try directory.makeDirectory("secrets")
        let file = "\(place)/FixtureComponent.token"
        let makers: [(found: String, make: () -> Int32)] = [
            ("a special file", { unsafe mkfifo(file, 0o600) }), ("a directory", { unsafe mkdir(file, 0o700) }),
            ("No such file or directory", { unsafe symlink("/nowhere", file) }),
        ]
        for (found, make) in makers {
            let isMade = make() == 0
            try #require(isMade)
            var options = HostOptions.quiet
            var configuration = HostConfiguration(environmentPrefix: nil)
            configuration.secrets = [place]
            options.configuration = configuration
            let host = try Depth.file.host(options: options)
            let problems = try host.configurationProblems()
            #expect(problems.count == 1 && problems[0].hasPrefix("FixtureComponent.token in \(file): "), "\(problems)")
            #expect(problems.allSatisfy { $0.contains(found) }, "\(problems)")
            await host.stop()
            let isRemoved = unsafe remove(file) == 0
            try #require(isRemoved)
        }
    }

    @Test(
        "a directory with very many secrets, or very large ones, is refused",
        arguments: [
            (ConfigurationOrigin.maximumSecrets, 0, "4096 files of secrets"),
            (ConfigurationOrigin.maximumSecretsSize >> 20, 1 << 20, "64 MB of secrets"),
        ])
    func manySecrets(count: Int, size: Int, limit: String) throws {
        let directory = try TemporaryDirectory()
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: size)
        for number in 0..<count { try directory.write(bytes, to: "A.\(number)") }
        // Files that are no secrets do not count.
        try directory.write("x", to: "README")
        #expect(try ConfigurationOrigin(secretsAt: directory.path, .strict).keys?.count == count)
        try directory.write("x", to: "A.more")
        let error = #expect(throws: LinkError.self) { _ = try ConfigurationOrigin(secretsAt: directory.path, .strict) }
        #expect(
            error?.message
                == "the configuration \(directory.path): it has more than \(limit); give a directory with fewer")
    }
}
