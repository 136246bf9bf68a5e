import ArgumentParser
import HeaderImport
import ManifestRules
import SystemSupport

/// `hslink import`: writes a description file from C headers.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Writes the description of a C library from its headers; runs no code from the library.",
        discussion: """
            EXAMPLES:
              hslink import zlib.h --library z --output plugins/zlib.hslink.json
              hslink import --package zlib --output plugins/zlib.hslink.json
              hslink import libxml/parser.h --package libxml-2.0 --name libxml --only 'xmlRead*'
              hslink import sqlite3.h --library sqlite3 --only 'sqlite3_*' --only 'SQLITE_*'
              hslink import include/shapes.h --library ./libshapes.so --define SHAPES_STATIC

            The headers are read with clang. The description contains the functions that the given headers declare \
            themselves, the types that these functions need, and constants: enums, and macros that expand to a number \
            or a string. Everything else is left out, with the reason on standard error: functions with a va_list or a \
            complex number, functions without a symbol in the library such as static inline ones, variables, and other \
            macros.

            With --package, pkg-config finds the directories of headers, the macros to define, the library and the \
            version. The headers may be left out when the package has one with its own name, or only one.

            A library that is given by a relative path is next to the description, as in "./libshapes.so".

            Headers do not say what pointers mean. For functions that cannot be called before annotations do, the \
            description has "proposals", which hosts ignore: for each parameter, the annotations to choose from. Move \
            the right ones to "annotations". With --guess, the first of each is written there; read them before use, \
            because a wrong annotation can crash the process.

            STATUS: 0 when the description has at least one function, 1 when not, 64 for a wrong command line.
            """)

    @Argument(
        help: ArgumentHelp("Headers: files, or names as in '#include <…>'.", valueName: "header"),
        completion: .file(extensions: ["h"]))
    var headers: [String] = []

    @Option(
        help: ArgumentHelp(
            "The library: 'z' as in -lz, the name of its file, or a path.", valueName: "name"))
    var library: String?

    @Option(
        help: ArgumentHelp("Find headers and library with pkg-config, as in 'zlib'.", valueName: "package"),
        completion: .shellCommand("pkg-config --list-all 2>/dev/null | cut -d ' ' -f 1"))
    var package: String?

    @Option(
        help: ArgumentHelp(
            "The name of the component, from which that of its class is derived; by default that of the package or the "
                + "first header.",
            valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Include only functions and constants with matching names; * matches any characters. May be repeated.",
            valueName: "pattern"))
    var only: [String] = []

    @Option(
        help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"), completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp("Also search for headers in this directory. May be repeated.", valueName: "dir"),
        completion: .directory)
    var include: [String] = []

    @Option(help: ArgumentHelp("Define a macro, as in NAME or NAME=1. May be repeated.", valueName: "macro"))
    var define: [String] = []

    @Flag(help: "Write the most probable annotation for every parameter that needs one.")
    var guess = false

    func validate() throws {
        guard package != nil || !headers.isEmpty else {
            throw ValidationError("Missing expected argument '<header> ...', or '--package <package>'")
        }
        guard package != nil || library != nil else {
            throw ValidationError("Missing expected argument '--library <name>', or '--package <package>'")
        }
        if let output, !output.hasExactSuffix(".hslink.json"), !output.hasExactPrefix("/dev/") {
            throw ValidationError(
                "--output: expected a name that ends in .hslink.json, because hosts find descriptions by it, found "
                    + output.quoted())
        }
        if let name, !TextRule.componentName.allows(name) {
            throw ValidationError(
                "--name: expected \(TextRule.componentName.expected), found \(name.quoted())")
        }
    }

    func run() async throws {
        do {
            let report = try ImportReport(
                ImportSource.Words(
                    headers: headers, library: library, package: package, name: name, only: only,
                    directories: include, definitions: define, guesses: guess, output: output))
            try report.write(to: output)
            for line in report.lines { Output.note(line.escaped) }
            if report.imported.functions.isEmpty { throw ExitCode.failure }
        } catch let error as ImportError {
            Output.error(error.message.escapedByLine())
            throw ExitCode.failure
        }
    }
}
