import Foundation
import TestSupport
import Testing

/// What `scripts/install --built` needs, without what takes it long: debug information, which it strips, and the program
/// that makes the manual's many pages. The folder is made once for all tests of a process.
enum StrippedProducts {
    private static let folder = FileManager.default.temporaryDirectory.appending(path: "hslink-stripped-\(getpid())")

    private static let made = Task {
        let manager = FileManager.default
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        atexit { StrippedProducts.remove() }
        let components = try manager.contentsOfDirectory(
            atPath: BuiltProducts.packageDirectory.appending(path: "Plugins").path)
        let binaries = Set(["hslink", "hslink-models"] + components.map { "lib\($0).so" })
        for name in try manager.contentsOfDirectory(atPath: BuiltProducts.directory.path) {
            let product = BuiltProducts.directory.appending(path: name)
            let target = folder.appending(path: name)
            if binaries.contains(name) {
                let run = try await ProgramRun.of(
                    URL(filePath: "/usr/bin/env"), ["strip", "--strip-unneeded", "-o", target.path, product.path])
                try #require(run.status == 0, "\(run)")
            } else if name.hasSuffix(".resources") {
                try manager.createSymbolicLink(at: target, withDestinationURL: product)
            }
        }
        return folder.path
    }

    /// Returns the path of the folder.
    static func directory() async throws -> String { try await made.value }

    private static func remove() { try? FileManager.default.removeItem(at: folder) }
}
