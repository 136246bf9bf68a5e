import ArgumentParser
import HeaderImport
import SystemSupport

/// `hslink import`: a description file from headers of C.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Writes the description of a C library, of its headers; runs nothing of it.",
        discussion: """
            EXAMPLES:
              hslink import zlib.h --library z --output plugins/zlib.hslink.json
              hslink import sqlite3.h --library sqlite3 --only 'sqlite3_*' --only 'SQLITE_*'
              hslink import include/shapes.h --library ./libshapes.so --define SHAPES_STATIC

            clang reads the headers. What is written are the functions that they declare themselves, the types that \
            these need, and constants: enums, and macros that stand for an integer. Left out, each with the reason \
            on standard error, are functions that can't be called: with a va_list or a complex number, without a \
            symbol in the library.

            What pointers mean, headers don't say: the file has no annotations. Add them before use.

            STATUS: 0 when there is a function in the result, 1 when not, 64 for a wrong command line.
            """)

    @Argument(
        help: ArgumentHelp("Headers: files, or what '#include <…>' finds.", valueName: "header"),
        completion: .file(extensions: ["h"]))
    var headers: [String]

    @Option(
        help: ArgumentHelp(
            "The library: 'z' for what -lz links with, the name of its file, or a path.", valueName: "name"))
    var library: String

    @Option(
        help: ArgumentHelp(
            "Only functions and constants of such names; * stands for any characters. May be repeated.",
            valueName: "pattern"))
    var only: [String] = []

    @Option(
        help: ArgumentHelp("Write this file, not standard output.", valueName: "file"), completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp("Search headers in this directory as well. May be repeated.", valueName: "dir"),
        completion: .directory)
    var include: [String] = []

    @Option(help: ArgumentHelp("Define a macro, as in NAME or NAME=1. May be repeated.", valueName: "macro"))
    var define: [String] = []

    func run() async throws {
        do {
            let report = try ImportReport(
                headers: headers, library: library, only: only, directories: include, definitions: define)
            try report.write(to: output)
            for line in report.lines { Output.note(line.escaped) }
            if report.imported.functions.isEmpty { throw ExitCode.failure }
        } catch let error as ImportError {
            Output.error(error.message.split(separator: "\n").map { String($0).escaped }.joined(separator: "\n"))
            throw ExitCode.failure
        }
    }
}
