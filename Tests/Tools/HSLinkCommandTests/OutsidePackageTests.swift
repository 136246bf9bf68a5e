import Foundation
import TestSupport
import Testing

@Suite(
    "Components and programs in other packages",
    // All build in one folder, so that each reuses the results of the previous one.
    .serialized,
    .enabled(
        if: BuiltProducts.sanitizer == nil, "they are built without a sanitizer, which the plain run does already"))
struct OutsidePackageTests {
    /// The first build compiles swift-syntax, which takes minutes.
    private static let patience = 45 * 60

    /// Builds a package of `Tests` from another folder. The products stay in `.build/outside`.
    ///
    /// - Parameters:
    ///   - path: The path of the package, relative to `Tests`.
    ///   - products: The products, which are built one after the other.
    /// - Returns: The folder of the products.
    private func build(_ path: String, _ products: String...) async throws -> URL {
        let checkout = BuiltProducts.packageDirectory
        let directory = try TemporaryDirectory()
        let package = URL(filePath: directory.path(of: "Outside"))
        try FileManager.default.copyItem(at: checkout.appending(path: "Tests/\(path)"), to: package)
        let manifest = package.appending(path: "Package.swift")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        let filledIn = text.replacing(/path: "(\.\.\/)*\.\."/, with: "path: \"\(checkout.path)\"")
        try #require(filledIn != text)
        try Data(filledIn.utf8).write(to: manifest)
        // The versions that this package was built with, so that SwiftPM does not look for newer ones.
        let versions = checkout.appending(path: "Package.resolved")
        if FileManager.default.fileExists(atPath: versions.path) {
            try FileManager.default.copyItem(at: versions, to: package.appending(path: "Package.resolved"))
        }

        for product in products { try await swift("build", in: package.path, "--product", product) }
        return Self.scratch.appending(path: "debug")
    }

    /// The options of scripts/lib.sh for builds that nobody goes on from; empty unless it is asked for one.
    private static let onceOptions =
        ProcessInfo.processInfo.environment["HSLINK_ONCE_OPTIONS"]?.split(separator: " ").map(String.init) ?? []

    private static let scratch = BuiltProducts.packageDirectory.appending(path: ".build/outside")

    /// Runs a SwiftPM command that must succeed.
    ///
    /// - Returns: Its output.
    @discardableResult
    private func swift(_ command: String, in package: String, _ options: String...) async throws -> String {
        let run = try await ProgramRun.of(
            URL(filePath: "/usr/bin/env"),
            [
                // Other tests run meanwhile.
                "nice", "-n", "10", "swift", command, "--package-path", package, "--scratch-path", Self.scratch.path,
                "--manifest-cache", "none", "--disable-experimental-prebuilts",
            ] + Self.onceOptions + options,
            // An unreachable dependency fails at once, instead of prompting for a password. The order in which SwiftPM names
            // traits to the compiler is the same each time, so that nothing is compiled anew.
            environment: ["GIT_TERMINAL_PROMPT": "0", "SWIFT_DETERMINISTIC_HASHING": "1"], patience: Self.patience)
        let all = "\(run.standardOutput)\n\(run.standardError)"
        try #require(run.status == 0, "\(all.suffix(8000))")
        return all
    }

    @Test(
        "a component is built there, listed and called, also by a host of the same package, which outlives its removal",
        .timeLimit(.minutes(50 * TestPatience.factor)))
    func component() async throws {
        // ComponentHost has the traits that it has for the host that `hslink new` makes, so it is compiled once.
        let built = try await build("OutsidePackage", "Greeter", "greeter-host")
        try await withPlugins { plugins in
            try plugins.add(file: built.appending(path: "libGreeter.so"))
            let options = ["--plugins", plugins.path]
            let list = try await hslink(["list"] + options)
            #expect(list.standardOutput.contains("\nGreeter  1.0.0    -      available  \(plugins.path)/libGreeter.so"))
            for (words, value) in [
                (["greet", "name=Ada"], #""Hello, Ada!""#), (["sumLater", "a=40", "b=2"], "42"),
                (["sumLater", "a=1"], "3"), (["greet", "name=Ada", "greeting=Servus"], #""Servus, Ada!""#),
                (["languages", "--class-method"], "[\n  \"en\"\n]"),
            ] {
                #expect(try await hslink(["call", "GreeterLink"] + words + options) == printed(value))
            }
            let refused = try await hslink(["call", "GreeterLink", "greet", #"{"name": 1}"#, "--json"] + options)
            let answer = try PrintedAnswer(refused)
            #expect(answer.error?.code == "payloadMismatch")

            // What the README shows.
            let host = built.appending(path: "greeter-host")
            let whole = try await ProgramRun.of(host, [plugins.path])
            #expect(whole == printed("Greeter 1.0.0 available", #""Hello, Ada!""#, #""Hello, Bob!" true true"#))
            try FileManager.default.removeItem(atPath: plugins.file("libGreeter.so"))
            let rest = try await ProgramRun.of(host, [plugins.path])
            #expect(
                rest
                    == printed(
                        "not greeted: greet of GreeterLink: no component has this class", "no value false false"))
        }
    }

    /// Makes something with `hslink new` and builds it.
    ///
    /// - Returns: Its folder, and the temporary directory that contains it.
    private func make(_ words: String...) async throws -> (folder: String, TemporaryDirectory) {
        let directory = try TemporaryDirectory()
        let start = ContinuousClock.now
        let made = try await hslink(["new"] + words + ["--path", directory.path])
        try #require(made.status == 0, "\(made)")
        let folder = directory.path(of: words[1])
        let said = try await swift("build", in: folder)
        #expect(!said.contains("\(folder)/Sources") || !said.contains("warning: "), "\(said.suffix(4000))")
        print("hslink new \(words.joined(separator: " ")) and swift build: \(ContinuousClock.now - start)")
        return (folder, directory)
    }

    @Test(
        "hslink new and swift build make a component that exports only its entry and answers",
        .timeLimit(.minutes(50 * TestPatience.factor))
    )
    func made() async throws {
        let (_, directory) = try await make("component", "Weather")
        let library = Self.scratch.appending(path: "debug/libWeather.so")
        #expect(try await exportedSymbols(of: library.path) == ["hslink_component"])
        try await withPlugins { plugins in
            try plugins.add(file: library)
            let call = ["call", "WeatherLink", "greet", "name=Ada", "--plugins", plugins.path]
            #expect(try await hslink(call) == printed(#""Hello, Ada!""#))
            let open = ["open", "weather://greet/Ada", "--plugins", plugins.path]
            #expect(try await hslink(open) == printed(#""Hello, Ada!""#))
        }
        withExtendedLifetime(directory) {}
    }

    @Test(
        "a component with the listing of Getting started passes the tests that hslink new has made for it",
        .timeLimit(.minutes(50 * TestPatience.factor)))
    func gettingStarted() async throws {
        let checkout = BuiltProducts.packageDirectory
        let listing = try String(
            contentsOf: checkout.appending(path: "Tests/OutsidePackage/Sources/Greeter/Greeter.swift"), encoding: .utf8)
        let page = checkout.appending(path: "Sources/Authoring/ComponentKit/ComponentKit.docc/GettingStarted.md")
        #expect(try String(contentsOf: page, encoding: .utf8).contains("```swift\n\(listing)```"))
        let directory = try TemporaryDirectory()
        let made = try await hslink("new", "component", "Greeter", "--path", directory.path)
        try #require(made.status == 0, "\(made)")
        try directory.write(listing, to: "Greeter/Sources/Greeter/Greeter.swift")
        let tested = try await swift("test", in: directory.path(of: "Greeter"), "--disable-xctest")
        #expect(tested.contains("Test run with 2 tests in 1 suite passed"), "\(tested.suffix(4000))")
        withExtendedLifetime(directory) {}
    }

    @Test(
        "a component with a contract, whose name ends in Link, and its tests",
        .timeLimit(.minutes(50 * TestPatience.factor)))
    func contract() async throws {
        let (folder, directory) = try await make("component", "TideLink", "--contract")
        let library = Self.scratch.appending(path: "debug/libTideLink.so")
        #expect(try await exportedSymbols(of: library.path) == ["hslink_component"])
        try await withPlugins { plugins in
            try plugins.add(file: library)
            let call = ["call", "TideLink", "greet", "name=Ada", "--plugins", plugins.path]
            #expect(try await hslink(call) == printed("{", #"  "text": "Hello, Ada!""#, "}"))
            let open = ["open", "tidelink://greet/Ada", "--plugins", plugins.path]
            #expect(try await hslink(open) == printed("{", #"  "text": "Hello, Ada!""#, "}"))
            let list = try await hslink(["list", "--plugins", plugins.path])
            #expect(list.standardOutput.contains("com.example.TideLink/1"), "\(list)")
        }
        let tested = try await swift("test", in: folder, "--disable-xctest")
        #expect(tested.contains("Test run with 2 tests in 1 suite passed"), "\(tested.suffix(4000))")
        withExtendedLifetime(directory) {}
    }

    @Test(
        "a component with a bridge, and its tests, in which a program has the other side",
        .timeLimit(.minutes(50 * TestPatience.factor)))
    func madeBridge() async throws {
        let (folder, directory) = try await make("component", "Radio", "--bridge")
        let library = Self.scratch.appending(path: "debug/libRadio.so")
        #expect(try await exportedSymbols(of: library.path) == ["hslink_component"])
        try await withPlugins { plugins in
            try plugins.add(file: library)
            // This program provides no greeting.
            let call = ["call", "RadioLink", "greet", "name=Ada", "--plugins", plugins.path]
            #expect(try await hslink(call) == printed(#""Hello, Ada!""#))
        }
        let tested = try await swift("test", in: folder, "--disable-xctest")
        #expect(tested.contains("Test run with 3 tests in 1 suite passed"), "\(tested.suffix(4000))")
        withExtendedLifetime(directory) {}
    }

    @Test(
        "a workspace: its tests, its program, and its components, one of which calls the other through their contract",
        .timeLimit(.minutes(50 * TestPatience.factor)))
    func workspace() async throws {
        let (folder, directory) = try await make("workspace", "Harbour")
        let tested = try await swift("test", in: folder, "--disable-xctest")
        #expect(tested.contains("Test run with 2 tests in 1 suite passed"), "\(tested.suffix(4000))")
        try await withPlugins { plugins in
            for name in ["HarbourGreeter", "HarbourGuest"] {
                let library = Self.scratch.appending(path: "debug/lib\(name).so")
                #expect(try await exportedSymbols(of: library.path) == ["hslink_component"])
                try plugins.add(file: library)
            }
            let program = Self.scratch.appending(path: "debug/Harbour")
            let whole = try await ProgramRun.of(program, [plugins.path])
            #expect(
                whole
                    == printed(
                        "HarbourGreeter 0.1.0 available", "HarbourGuest 0.1.0 available",
                        #""Hello, Ada! How are you?""#))
            try FileManager.default.removeItem(atPath: plugins.file("libHarbourGreeter.so"))
            let alone = try await ProgramRun.of(program, [plugins.path])
            #expect(alone.status == 0, "\(alone)")
            #expect(alone.standardOutput.contains("\nno answer: "), "\(alone)")
        }
        withExtendedLifetime(directory) {}
    }

    @Test(
        "a contract in a package of its own, a provider and a consumer of it, each with its tests",
        .timeLimit(.minutes(50 * TestPatience.factor)))
    func contractPackage() async throws {
        let directory = try TemporaryDirectory()
        for (words, folder, count) in [
            (["contract", "Reef"], "ReefContract", "1 test"),
            (["component", "Reef", "--provides", directory.path(of: "ReefContract")], "Reef", "2 tests"),
            (["component", "Diver", "--uses", directory.path(of: "ReefContract")], "Diver", "2 tests"),
        ] {
            let made = try await hslink(["new"] + words + ["--path", directory.path])
            try #require(made.status == 0, "\(made)")
            let tested = try await swift("test", in: directory.path(of: folder), "--disable-xctest")
            #expect(tested.contains("Test run with \(count) in 1 suite passed"), "\(tested.suffix(4000))")
        }
        for name in ["Reef", "Diver"] { try await swift("build", in: directory.path(of: name), "--product", name) }
        try await withPlugins { plugins in
            for name in ["Reef", "Diver"] {
                try plugins.add(file: Self.scratch.appending(path: "debug/lib\(name).so"))
            }
            let call = ["call", "DiverLink", "greet", "name=Ada", "--plugins", plugins.path]
            #expect(try await hslink(call) == printed(#""Hello, Ada! How are you?""#))
        }
        withExtendedLifetime(directory) {}
    }

    @Test("a host, its tests, and what it prints", .timeLimit(.minutes(50 * TestPatience.factor)))
    func host() async throws {
        let (folder, directory) = try await make("host", "Desk")
        let tested = try await swift("test", in: folder, "--disable-xctest")
        #expect(tested.contains("Test run with 1 test in 1 suite passed"), "\(tested.suffix(4000))")
        try await withPlugins("CGood") { plugins in
            let run = try await ProgramRun.of(
                Self.scratch.appending(path: "debug/Desk"), [plugins.path, "DeskHome", "name"])
            #expect(run == printed("CGood 1.0.0 available ", #""Desk""#))
            try plugins.add("TextFile")
            let missing = try await ProgramRun.of(
                Self.scratch.appending(path: "debug/Desk"), [plugins.path, "NoLink", "name"])
            #expect(missing.status == 0, "\(missing)")
            #expect(missing.standardOutput.contains(" is not used: "))
            #expect(missing.standardOutput.contains("no answer: name of NoLink: no component has this class\n"))
        }
        withExtendedLifetime(directory) {}
    }

    @Test(
        "a program and a component call each other through subclasses of HSLinkClass, and each works without the other",
        .timeLimit(.minutes(50 * TestPatience.factor)))
    func bridge() async throws {
        let built = try await build("Examples/Cinema", "Video", "cinema")
        let program = built.appending(path: "cinema")
        try await withPlugins { plugins in
            try plugins.add(file: built.appending(path: "libVideo.so"))
            let whole = try await ProgramRun.of(program, [plugins.path])
            #expect(
                whole
                    == printed(
                        "There are videos.", "comedy for Ada: Playtime, Sherlock Jr.", "There is no page of opera."))

            // Another program, which has no such class.
            let call = ["call", "VideoLink", "categoryPage", "--plugins", plugins.path]
            #expect(try await hslink(call + ["category=western"]) == printed(#""western for a guest: Rio Bravo""#))
            let refused = try PrintedAnswer(try await hslink(call + ["category=opera", "--json"]))
            #expect(refused.error?.code == "methodFailed")

            try FileManager.default.removeItem(atPath: plugins.file("libVideo.so"))
            let rest = try await ProgramRun.of(program, [plugins.path])
            #expect(
                rest == printed("There are no videos.", "The videos are not loaded.", "The videos are not loaded."))
        }
    }

    // Last, because its package has other traits than those of the tests before, so that HSLink is compiled anew.
    @Test(
        "a host program is built there, and calls components by name and by contract",
        .timeLimit(.minutes(50 * TestPatience.factor)))
    func hostProgram() async throws {
        let built = try await build("Examples/Weather", "Weather", "Travel", "News", "Office", "weather-station")
        let program = built.appending(path: "weather-station")
        try await withPlugins { plugins in
            for name in ["Weather", "Travel"] { try plugins.add(file: built.appending(path: "lib\(name).so")) }
            let whole = try await ProgramRun.of(program, [plugins.path])
            // The callback of an asynchronous method may arrive at any time.
            #expect(
                whole.standardOutput.split(separator: "\n").map(String.init).sorted() == [
                    "0 []", "Travel available ", "Weather available ", #"["coat", "boots"]"#,
                    #"["coat", "boots"] true true"#, #"["sunglasses"]"#, #"unknownCity(name: "Atlantis")"#,
                ])
            #expect(whole.status == 0, "\(whole)")

            // What the page about routes shows.
            for (url, lines) in [
                ("weather://station/7?scale=fahrenheit&sensors=roof", ["[", #"  "roof: 20 degrees fahrenheit""#, "]"]),
                ("https://example.com/stations/7?sensors=air", ["[", #"  "air: 20 degrees celsius""#, "]"]),
                ("weather://station/new", ["9"]), ("weather://station/42", [#""no station has the number 42""#]),
                ("weather://station/7/restart", [#""station 7 restarts""#]),
            ] {
                let run = try await hslink(["open", url, "--plugins", plugins.path])
                #expect(run.status == 0, "\(url): \(run)")
                #expect(run.standardOutput == lines.joined(separator: "\n") + "\n", "\(url)")
            }

            // Two revisions of a service at once: a provider of both, and a consumer that takes either.
            for (words, lines) in [
                (["TidesLink", "highTides", "harbour=Brest"], "[\n  5,\n  18\n]"),
                (["SailingLink", "departure", "harbour=Brest"], "5"),
            ] {
                #expect(try await hslink(["call"] + words + ["--plugins", plugins.path]) == printed(lines))
            }

            // The model, the view and the controller of the page about pages.
            let view = #"RainController rain context='{"page": "weather", "section": "rain"}'"#
            let calls = [view, "RainController empty", view].joined(separator: "\n")
            let gauge = try await hslink("call", "-", "--plugins", plugins.path, input: calls)
            #expect(gauge.status == 0, "\(gauge)")
            #expect(gauge.standardOutput.matches(of: /"(\d+) mm"/).map(\.1) == ["12", "0"], "\(gauge)")

            // A page about one station, and a sign-in of its own.
            try plugins.add(file: built.appending(path: "libOffice.so"))
            let station = #"context='{"page": "station?number=7", "section": "x"}'"#
            let sensors = "OfficePages sensors \(station) data='{\"number\": 7}'"
            let door = "StaffPages door \(station)"
            let steps = [sensors, door, "StaffPages invite", "StaffPages signIn code=$3", door]
            let office = try await hslink(
                "call", "-", "--plugins", plugins.path, input: steps.joined(separator: "\n"))
            #expect(office.status == 0, "\(office)")
            let words = office.standardOutput.matches(of: /"(late|signIn|signOut)"/).map(\.1)
            #expect(words == ["late", "signIn", "signOut"], "\(office)")

            // The bundle that SwiftPM has made, as it is.
            let advice = ["call", "WeatherTexts", "advice", "sky=snow", "--plugins", plugins.path]
            #expect(try await hslink(advice).standardError.contains("the component has no resources"))
            try plugins.add(file: built.appending(path: "Weather_Weather.resources"))
            #expect(try await hslink(advice + ["language=de-AT"]) == printed(#""Zieh dich warm an!\n""#))
            #expect(try await hslink(advice + ["language=fr"]) == printed(#""Put on warm clothes!\n""#))
            let altitudes = ["call", "WeatherTexts", "altitude", "city=Oslo", "--plugins", plugins.path]
            #expect(try await hslink(altitudes) == printed("23"))

            try FileManager.default.removeItem(atPath: plugins.file("libWeather.so"))
            let call = ["call", "TravelLink", "luggage", "city=Oslo", "--json", "--plugins", plugins.path]
            let error = try PrintedAnswer(try await hslink(call)).error
            #expect(error?.code == "notLoaded")
            #expect(error?.cause.first?.code == "requirementNotMet")
        }
    }
}
