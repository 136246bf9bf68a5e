import CDeclarations
import Foundation
import TestSupport

/// A run of clang over a source.
enum CompilerRun {
    /// Returns whether clang accepts a source, and its messages.
    static func check(
        _ source: String, for target: CTarget, _ options: [String] = []
    ) async throws -> ProgramRun {
        let file = URL.temporaryDirectory.appending(path: "hslink-compiler-\(UUID().uuidString).c")
        try Data(source.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let machine = target == .amd64 ? "x86_64" : "aarch64"
        let freestanding = target == .current ? [] : ["-ffreestanding"]
        return try await ProgramRun.of(
            URL(filePath: "/usr/bin/env"),
            [
                "clang", "--target=\(machine)-unknown-linux-gnu", "-fsyntax-only", "-std=gnu2x", "-w",
                "-ferror-limit=0", "-Wno-everything",
            ] + freestanding + options + [file.path])
    }
}
