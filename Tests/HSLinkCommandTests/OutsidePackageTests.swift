import Foundation
import TestSupport
import Testing

@Suite(
    "Components and programs of packages outside of this one",
    .serialized,
    .enabled(
        if: BuiltProducts.sanitizer == nil, "they are built without a sanitizer, which the plain run does already"))
struct OutsidePackageTests {
    /// The first build compiles swift-syntax, which takes minutes.
    private static let patience = 45 * 60

    /// Builds a package of `Tests` from another folder. What is built stays in `.build/outside`.
    ///
    /// - Parameters:
    ///   - path: of the package, below `Tests`.
    ///   - products: one after the other.
    /// - Returns: where the products are.
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
        // The versions that this package was built with, so that nobody asks for newer ones.
        let versions = checkout.appending(path: "Package.resolved")
        if FileManager.default.fileExists(atPath: versions.path) {
            try FileManager.default.copyItem(at: versions, to: package.appending(path: "Package.resolved"))
        }

        let scratch = checkout.appending(path: ".build/outside")
        for product in products {
            let run = try await ProgramRun.of(
                URL(filePath: "/usr/bin/env"),
                [
                    // The other tests run meanwhile.
                    "nice", "-n", "10", "swift", "build", "--package-path", package.path, "--scratch-path",
                    scratch.path, "--manifest-cache", "none", "--disable-experimental-prebuilts", "--product", product,
                ],
                // A dependency that is not in reach fails at once, instead of asking for a password.
                environment: ["GIT_TERMINAL_PROMPT": "0"], patience: Self.patience)
            try #require(run.status == 0, "\(run.standardOutput.suffix(4000))\n\(run.standardError.suffix(4000))")
        }
        return scratch.appending(path: "debug")
    }

    @Test("a component is built there, listed and called", .timeLimit(.minutes(50)))
    func component() async throws {
        let file = try await build("OutsidePackage", "Greeter").appending(path: "libGreeter.so")
        try await withPlugins { plugins in
            try plugins.add(file: file)
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
            let refused = try await hslink(["call", "GreeterLink", "greet", "name=1", "--json"] + options)
            let answer = try PrintedAnswer(refused)
            #expect(answer.error?.code == "payloadMismatch")
        }
    }

    @Test("a host program is built there, and calls components by name and by contract", .timeLimit(.minutes(50)))
    func hostProgram() async throws {
        let built = try await build("Examples/Weather", "Weather", "Travel", "weather-station")
        let program = built.appending(path: "weather-station")
        try await withPlugins { plugins in
            for name in ["Weather", "Travel"] { try plugins.add(file: built.appending(path: "lib\(name).so")) }
            let whole = try await ProgramRun.of(program, [plugins.path])
            // The callback of an asynchronous method comes when it comes.
            #expect(
                whole.standardOutput.split(separator: "\n").map(String.init).sorted() == [
                    "0 []", "Travel available ", "Weather available ", #"["coat", "boots"]"#,
                    #"["coat", "boots"] true true"#, #"["sunglasses"]"#, #"unknownCity(name: "Atlantis")"#,
                ])
            #expect(whole.status == 0, "\(whole)")

            try FileManager.default.removeItem(atPath: plugins.file("libWeather.so"))
            let call = ["call", "TravelLink", "luggage", "city=Oslo", "--json", "--plugins", plugins.path]
            let error = try PrintedAnswer(try await hslink(call)).error
            #expect(error?.code == "notLoaded")
            #expect(error?.cause.first?.code == "requirementNotMet")
        }
    }
}
