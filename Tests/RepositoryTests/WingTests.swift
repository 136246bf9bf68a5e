import Foundation
import TestSupport
import Testing

/// Package.swift finds the folders of targets by their names, and leaves out the tests of components that are not there.
/// So a folder in another place could be left out too, and nobody would miss it.
@Suite("The wings of Sources and Tests")
struct WingTests {
    @Test("Sources has six wings, and each file in them belongs to a target")
    func sources() {
        #expect(
            RepositoryFile.wings(of: "Sources") == [
                "Application", "Authoring", "Boundary", "CLibraries", "Hosting", "Tools",
            ])
        for file in RepositoryFile.all where file.path.hasPrefix("Sources/") {
            #expect(file.path.split(separator: "/").count > 3, "\(file): it is in no folder of a target")
        }
    }

    @Test("the tests in every folder are built, except for those of a component that was removed")
    func tests() {
        let plugins = RepositoryFile.wings(of: "Plugins")
        var folders: Set<[Substring]> = []
        for file in RepositoryFile.swift where file.path.hasPrefix("Tests/") {
            let parts = file.path.split(separator: "/")
            guard let end = parts.dropFirst().firstIndex(where: { $0.hasSuffix("Tests") }) else { continue }
            folders.insert(Array(parts[...end]))
        }
        #expect(folders.count > 15)
        for folder in folders {
            let name = String(folder[folder.count - 1])
            guard folder[1] != "Plugins" || plugins.contains(String(name.dropLast("Tests".count))) else { continue }
            let built = BuiltProducts.directory.appending(path: "\(name).build").path
            #expect(FileManager.default.fileExists(atPath: built), "\(folder.joined(separator: "/")): no target has it")
        }
    }
}
