import Glibc

/// The compiler that reads headers.
struct Clang {
    let program: String
    /// `-I` and `-D`, and what else is the same in each run.
    let options: [String]
    /// Lines that include the headers.
    let includes: String
    /// The headers that are files themselves, absolute.
    let paths: [String]

    /// - Parameters:
    ///   - headers: files, or what `#include <…>` finds.
    ///   - directories: for `-I`.
    ///   - definitions: for `-D`.
    /// - Throws: when there is no clang.
    init(headers: [String], directories: [String], definitions: [String]) throws(ImportError) {
        program = try Clang.find()
        // The compiler's own declarations of what it knows, as strlen, have other names of types than the header.
        options =
            ["-x", "c", "-std=gnu11", "-w", "-fno-color-diagnostics", "-fno-builtin"] + directories.map { "-I\($0)" }
            + definitions.map { "-D\($0)" }
        var lines = ""
        var paths: [String] = []
        for header in headers {
            guard !header.contains("\n"), !header.contains("\""), !header.contains(">") else {
                throw ImportError("expected the name of a header, found '\(header)'")
            }
            // A file of that name comes first; otherwise the compiler looks where it always does.
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

    /// What clang prints about the headers, and some text after them.
    func run(_ arguments: [String], after text: String = "") throws(ImportError) -> ProgramOutput {
        try ProgramOutput.of(program, options + arguments + ["-"], input: includes + text)
    }

    /// That of the variable CLANG, else the first in PATH, else one beside the first `swift` in PATH.
    private static func find() throws(ImportError) -> String {
        if let named = unsafe getenv("CLANG").map({ unsafe String(cString: $0) }), !named.isEmpty { return named }
        if let program = ProgramSearch.program("clang") { return program }
        for directory in ProgramSearch.directories {
            guard let swift = unsafe realpath("\(directory)/swift", nil) else { continue }
            defer { unsafe free(swift) }
            let beside = unsafe String(cString: swift).split(separator: "/").dropLast().joined(separator: "/")
            if unsafe access("/\(beside)/clang", X_OK) == 0 { return "/\(beside)/clang" }
        }
        throw ImportError(
            "clang reads the headers, and there is none in PATH: put the folder usr/bin of the Swift toolchain into "
                + "PATH, install Debian's package clang, or name it in the variable CLANG")
    }
}
