import Foundation

/// Compiles the source file of a component's author.
public enum Snippet {
    /// Allows two compilers at a time, because other tests run in parallel.
    private static let compilers = Turnstile(2)

    /// Returns the errors of the compiler for a source file; warnings are errors, as in this package.
    ///
    /// The file is a separate module with the language settings of this package. It may import ComponentKit and use its
    /// macros from the build.
    ///
    /// - Parameter source: The text of the file. Lines count from 1.
    /// - Returns: The errors in the order of their lines; empty for a file that compiles.
    /// - Throws: A ``SnippetError`` if the compiler does not start, crashes, or fails without an error.
    public static func diagnostics(of source: String) async throws -> [Diagnostic] {
        try await compilers.pass {
            let directory = try TemporaryDirectory()
            let file = try directory.write(source, to: "Snippet.swift")
            let result = directory.path(of: "Snippet.dia")
            let run = try await ProgramRun.of(
                URL(filePath: "/usr/bin/env"),
                ["swiftc", "-frontend", "-emit-sil", "-o", "/dev/null", "-module-name", "Snippet", "-parse-as-library"]
                    + KitArguments.all() + ["-serialize-diagnostics-path", result, file])
            guard FileManager.default.fileExists(atPath: result) else {
                throw SnippetError(
                    description: "the compiler left nothing, its status is \(run.status):\n\(run.standardError)")
            }
            let errors = try SerializedDiagnostics(path: result).messages
                .filter { $0.severity == 3 || $0.severity == 4 }.map { Diagnostic($0, source: source, file: file) }
            guard errors.isEmpty == (run.status == 0) else {
                throw SnippetError(description: "status \(run.status), \(errors.count) errors:\n\(run.standardError)")
            }
            return errors.sorted { $0.line < $1.line }
        }
    }
}

/// The reason why the compiler gave no result.
public struct SnippetError: Error, CustomStringConvertible {
    /// A description, with the compiler's output.
    public let description: String
}
