public import Foundation

/// The fixtures of `Tests/Fixtures` as files to load.
public enum Fixtures {
    /// The directory of the fixtures, which are built on first use in this process.
    ///
    /// They are kept next to the built products, so that the next run builds only changed ones. With
    /// `HSLINK_SANITIZE` (`address` or `thread`) they are built with that sanitizer, in a separate directory.
    ///
    /// - Throws: A ``FixtureError`` with the output of the build, the same at every call.
    public static func directory() throws -> URL { try built.get() }

    /// Returns the file of a fixture.
    ///
    /// - Parameter name: The name of its folder, as in "CGood", or of a component that is a product of this package.
    /// - Throws: A ``FixtureError`` if there is none, or the build failed.
    public static func file(_ name: String) throws -> URL {
        let product = BuiltProducts.component(name)
        if FileManager.default.fileExists(atPath: product.path) { return product }
        let fixture = try directory().appending(path: "lib\(name).so")
        guard FileManager.default.fileExists(atPath: fixture.path) else {
            throw FixtureError(description: "there is neither \(product.path) nor \(fixture.path)")
        }
        return fixture
    }

    /// Whether the fixture in Rust was built; the others need only clang.
    public static var hasRust: Bool { (try? file("RustGood")) != nil }

    private static let built = Result<URL, FixtureError> { () throws(FixtureError) in
        let sanitizer = BuiltProducts.sanitizer
        let name = sanitizer.map { "fixtures-\($0)" } ?? "fixtures"
        let directory = BuiltProducts.directory.appending(path: name)
        let process = Process()
        process.executableURL = BuiltProducts.packageDirectory.appending(path: "Tests/Fixtures/build")
        process.arguments =
            [directory.path, "--products=\(BuiltProducts.directory.path)"]
            + (sanitizer.map { ["--sanitize=\($0)"] } ?? [])
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        do {
            try process.run()
        } catch {
            throw FixtureError(description: "Tests/Fixtures/build does not start: \(error)")
        }
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw FixtureError(description: "Tests/Fixtures/build failed:\n\(String(decoding: text, as: UTF8.self))")
        }
        return directory
    }
}

/// The reason why there are no fixtures.
public struct FixtureError: Error, CustomStringConvertible {
    /// A sentence, and the output of the build.
    public let description: String
}
