import Foundation
import PackagePlugin

/// `swift package check-models [DIR…]`: runs hslink-models on the directories, or on all targets of the package.
///
/// SwiftPM builds the tool first, so the package needs no installation.
@main
struct CheckModels: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let process = Process()
        process.executableURL = try context.tool(named: "hslink-models").url
        process.arguments = arguments
        if !CheckModels.hasDirectory(arguments) {
            process.currentDirectoryURL = context.package.directoryURL
            process.arguments? += CheckModels.directories(of: context.package)
        }
        try process.run()
        process.waitUntilExit()
        // The tool has already said why on standard error or output; an error makes SwiftPM fail too.
        if process.terminationReason != .exit || process.terminationStatus != 0 {
            Diagnostics.error("hslink-models ended with status \(process.terminationStatus)")
        }
    }

    /// Whether there is an argument that is neither an option nor the value of one.
    private static func hasDirectory(_ arguments: [String]) -> Bool {
        if arguments.contains(where: { ["-h", "--help", "--version"].contains($0) }) { return true }
        var extractor = ArgumentExtractor(arguments)
        for option in ["exclude", "prefix"] { _ = extractor.extractOption(named: option) }
        for flag in ["strict", "json"] { _ = extractor.extractFlag(named: flag) }
        return !extractor.remainingArguments.isEmpty
    }

    /// Returns the directories of the package's own targets, relative to that of the package where they are in it.
    private static func directories(of package: Package) -> [String] {
        let root = package.directoryURL.path + "/"
        return package.targets.compactMap { $0 as? any SourceModuleTarget }.map { target in
            let path = target.directoryURL.path
            return path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
        }.sorted()
    }
}
