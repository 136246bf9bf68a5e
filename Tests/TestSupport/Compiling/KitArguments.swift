import Foundation

/// The compiler arguments for ComponentKit and its macros from the build, and for this package's settings.
enum KitArguments {
    /// - Throws: An error if Package.swift cannot be read, or nothing has been built.
    static func all() throws -> [String] { try search() + settings() }

    /// Modules of Swift and of C, and the compiler's plugin.
    private static func search() throws -> [String] {
        // Use one path for each file: the compiler treats two paths of a module as two modules.
        let built = BuiltProducts.directory.resolvingSymlinksInPath()
        let sources = BuiltProducts.packageDirectory.appending(path: "Sources")
        // The targets are in the wings of Sources.
        let folders = try FileManager.default.contentsOfDirectory(atPath: sources.path).flatMap { wing in
            (try? FileManager.default.contentsOfDirectory(atPath: sources.appending(path: wing).path)) ?? []
        }
        let maps = folders.sorted().map { built.appending(path: "\($0).build/module.modulemap").path }
            .filter(FileManager.default.fileExists)
        guard !maps.isEmpty else { throw FixtureError(description: "\(built.path) has no map of a module of C") }
        return [
            "-I", built.appending(path: "Modules").path,
            "-module-cache-path", built.appending(path: "TestModuleCache").path,
            "-load-plugin-executable", built.appending(path: "ComponentMacros-tool").path + "#ComponentMacros",
        ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    }

    /// The settings of Package.swift, which alone lists the upcoming features.
    private static func settings() throws -> [String] {
        let manifest = BuiltProducts.packageDirectory.appending(path: "Package.swift")
        let features = try String(contentsOf: manifest, encoding: .utf8)
            .matches(of: /\.enableUpcomingFeature\("(\w+)"\)/).map { String($0.1) }
        return ["-swift-version", "6", "-strict-memory-safety", "-warnings-as-errors"]
            + features.flatMap { ["-enable-upcoming-feature", $0] }
    }
}
