import Foundation
import TestSupport
import Testing

@Suite(
    "A component of a package outside of this one",
    .enabled(if: BuiltProducts.sanitizer == nil, "it is built without a sanitizer, which the plain run does already"))
struct OutsidePackageTests {
    /// The first build compiles swift-syntax, which takes minutes.
    private static let patience = 45 * 60

    /// Builds the package `Tests/OutsidePackage` from another folder. What is built stays in `.build/outside`.
    private func build() async throws -> URL {
        let checkout = BuiltProducts.packageDirectory
        let directory = try TemporaryDirectory()
        let package = URL(filePath: directory.path(of: "Outside"))
        try FileManager.default.copyItem(at: checkout.appending(path: "Tests/OutsidePackage"), to: package)
        let manifest = package.appending(path: "Package.swift")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        let filledIn = text.replacing("path: \"../..\"", with: "path: \"\(checkout.path)\"")
        try #require(filledIn != text)
        try Data(filledIn.utf8).write(to: manifest)
        // The versions that this package was built with, so that nobody asks for newer ones.
        let versions = checkout.appending(path: "Package.resolved")
        if FileManager.default.fileExists(atPath: versions.path) {
            try FileManager.default.copyItem(at: versions, to: package.appending(path: "Package.resolved"))
        }

        let scratch = checkout.appending(path: ".build/outside")
        let run = try await ProgramRun.of(
            URL(filePath: "/usr/bin/env"),
            [
                // The other tests run meanwhile.
                "nice", "-n", "10", "swift", "build", "--package-path", package.path, "--scratch-path", scratch.path,
                "--manifest-cache", "none", "--disable-experimental-prebuilts", "--product", "Greeter",
            ],
            // A dependency that is not in reach fails at once, instead of asking for a password.
            environment: ["GIT_TERMINAL_PROMPT": "0"], patience: Self.patience)
        try #require(run.status == 0, "\(run.standardOutput.suffix(4000))\n\(run.standardError.suffix(4000))")
        return scratch.appending(path: "debug/libGreeter.so")
    }

    @Test("it is built there, listed and called", .timeLimit(.minutes(50)))
    func call() async throws {
        let file = try await build()
        try await withPlugins { plugins in
            try plugins.add(file: file)
            let options = ["--plugins", plugins.path]
            let list = try await hslink(["list"] + options)
            #expect(list.standardOutput.contains("\nGreeter  1.0.0    -      available  \(plugins.path)/libGreeter.so"))
            for (words, value) in [
                (["greet", "name=Ada"], #""Hello, Ada!""#), (["sumLater", "a=40", "b=2"], "42"),
                (["sumLater", "a=1"], "3"),
            ] {
                #expect(try await hslink(["call", "GreeterLink"] + words + options) == printed(value))
            }
            let refused = try await hslink(["call", "GreeterLink", "greet", "name=1", "--json"] + options)
            let answer = try PrintedAnswer(refused)
            #expect(answer.error?.code == "payloadMismatch")
        }
    }
}
