import Glibc
import ProgramRunning
import SystemSupport

/// Runs the compiler that reads the headers.
struct Clang {
    let program: String
    /// The options for every run.
    let options: [String]
    /// The `#include` lines of the headers.
    let includes: String
    /// The absolute paths of the headers that were passed as files.
    let paths: [String]

    /// Finds clang and prepares its options.
    ///
    /// - Parameters:
    ///   - headers: Paths of files, or names that `#include <…>` finds.
    ///   - options: The options for the preprocessor, such as `-I/opt/include`.
    /// - Throws: `ImportError` if clang is not found or a header's name is invalid.
    init(headers: [String], options: [String]) throws(ImportError) {
        program = try Clang.find()
        // `-fno-builtin`: clang's own declarations of functions such as strlen use different type names than the
        // headers.
        self.options = ["-x", "c", "-std=gnu11", "-w", "-fno-color-diagnostics", "-fno-builtin"] + options
        var lines = ""
        var paths: [String] = []
        for header in headers {
            guard !header.contains("\n"), !header.contains("\""), !header.contains(">") else {
                throw ImportError("expected the name of a header, found '\(header)'")
            }
            // An existing file takes precedence over the compiler's include path.
            if let found = unsafe realpath(header, nil) {
                let path = unsafe String(cString: found)
                unsafe free(found)
                paths.append(path)
                lines += "#include \"\(path)\"\n"
            } else {
                lines += "#include <\(header)>\n"
            }
        }
        includes = lines
        self.paths = paths
    }

    /// Runs clang on the headers followed by `text`.
    func run(_ arguments: [String], after text: String = "") throws(ImportError) -> ProgramOutput {
        try Clang.output(of: program, options + arguments + ["-"], input: includes + text)
    }

    static func output(
        of program: String, _ arguments: [String], input: String = ""
    ) throws(ImportError) -> ProgramOutput {
        do throws(ProgramError) {
            return try ProgramOutput.of(program, arguments, input: input)
        } catch {
            throw ImportError(error.message)
        }
    }

    /// Returns the path of clang: the value of the variable CLANG, the first clang in PATH, or one next to a `swift` in
    /// PATH.
    private static func find() throws(ImportError) -> String {
        if let named = unsafe getenv("CLANG").map({ unsafe String(cString: $0) }), !named.isEmpty { return named }
        if let program = ProgramSearch.program("clang") { return program }
        for directory in ProgramSearch.directories {
            guard let swift = unsafe realpath("\(directory)/swift", nil) else { continue }
            defer { unsafe free(swift) }
            let beside = unsafe String(cString: swift).exactParts(between: "/").dropLast().joined(separator: "/")
            if unsafe access("/\(beside)/clang", X_OK) == 0 { return "/\(beside)/clang" }
        }
        throw ImportError(
            "clang is needed to read headers, but it is not in PATH: add the Swift toolchain's usr/bin to PATH, "
                + "install the Debian package clang, or set the variable CLANG to its path")
    }
}
