import Foundation

/// A source file of a component's author, as the compiler sees it.
public enum Snippet {
    /// At most two compilers at a time: they are programs, and there are tests beside them.
    private static let compilers = Turnstile(2)

    /// What the compiler says about a source file: errors, with warnings among them as in this package.
    ///
    /// The file is a module of its own with the language settings of this package; it may import ComponentKit
    /// and use its macros, both as the build left them.
    ///
    /// - Parameter source: its text. Lines count from 1.
    /// - Returns: the errors in the order of their lines; none for a file that compiles.
    /// - Throws: a ``SnippetError`` when the compiler does not start, crashes, or fails without an error.
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

/// Why it is not known what the compiler says.
public struct SnippetError: Error, CustomStringConvertible {
    /// What happened, and the compiler's own words.
    public let description: String
}
