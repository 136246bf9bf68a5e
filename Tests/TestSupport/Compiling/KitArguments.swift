import Foundation

/// How a compiler finds ComponentKit and its macros where the build left them, and this package's settings.
enum KitArguments {
    /// - Throws: when Package.swift cannot be read.
    static func all() throws -> [String] { search + (try settings()) }

    /// Modules of Swift and of C, and the compiler's plugin.
    private static var search: [String] {
        // One name for each file: two names of a module are two modules to the compiler.
        let built = BuiltProducts.directory.resolvingSymlinksInPath()
        let sources = BuiltProducts.packageDirectory.appending(path: "Sources")
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: sources.path)) ?? []
        let maps = folders.sorted().map { built.appending(path: "\($0).build/module.modulemap").path }
            .filter(FileManager.default.fileExists)
        return [
            "-I", built.appending(path: "Modules").path,
            "-module-cache-path", built.appending(path: "TestModuleCache").path,
            "-load-plugin-executable", built.appending(path: "ComponentMacros-tool").path + "#ComponentMacros",
        ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    }

    /// Those of Package.swift, whose upcoming features are listed there alone.
    private static func settings() throws -> [String] {
        let manifest = BuiltProducts.packageDirectory.appending(path: "Package.swift")
        let features = try String(contentsOf: manifest, encoding: .utf8)
            .matches(of: /\.enableUpcomingFeature\("(\w+)"\)/).map { String($0.1) }
        return ["-swift-version", "6", "-strict-memory-safety", "-warnings-as-errors"]
            + features.flatMap { ["-enable-upcoming-feature", $0] }
    }
}
