import Foundation
import TestSupport

/// Shared objects that tests compile from C.
enum CompiledLibrary {
    enum Kind {
        case library
        case program
    }

    struct CompilerFailure: Error {
        let output: String
    }

    /// Compiles C without the C library.
    ///
    /// - Parameters:
    ///   - source: The C source; `hslink.h` is included before it.
    ///   - flags: Additional flags for clang.
    ///   - kind: The kind of file to make.
    /// - Returns: The bytes of the file.
    /// - Throws: The messages of the compiler.
    static func compile(_ source: String, flags: [String] = [], kind: Kind = .library) throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let input = try directory.write("#include \"hslink.h\"\n\(source)\n", to: "source.c")
        let output = directory.path(of: "output.so")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["clang", "-nostdlib", "-I", headers, "-o", output, input] + (kind == .library ? ["-shared", "-fPIC"] : [])
            + flags
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        let errors = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CompilerFailure(output: String(decoding: errors, as: UTF8.self))
        }
        return try Array(Data(contentsOf: URL(fileURLWithPath: output)))
    }

    /// Returns the C source of a component of that name without code.
    static func source(name: String, version: String = "1.0.0", more: String = "") -> String {
        let json = "{\"name\": \"\(name)\", \"version\": \"\(version)\"\(more)}"
        return "HSLINK_MANIFEST(\(literal(json)))"
    }

    /// A C string literal.
    static func literal(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
    }

    /// A component called Small.
    static let small = Result { try compile(source(name: "Small")) }

    /// A component with additional text in its manifest, as `, "layer": "base"`.
    static func component(_ name: String, version: String = "1.0.0", more: String = "") throws -> [UInt8] {
        try compile(source(name: name, version: version, more: more))
    }

    /// The linkers that are installed on this machine.
    static let linkers = ["gold", "lld", "bfd"].filter { linker in
        let directories = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return directories.contains { FileManager.default.isExecutableFile(atPath: "\($0)/ld.\(linker)") }
    }

    private static var headers: String {
        BuiltProducts.packageDirectory.appending(path: "Sources/Boundary/CHSLink/include").path
    }
}
