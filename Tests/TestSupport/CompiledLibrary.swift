import Foundation

/// Shared objects that tests compile from C.
public enum CompiledLibrary {
    /// What the linker makes.
    public enum Kind: Sendable {
        case library
        case program
    }

    /// The compiler has refused the source.
    public struct CompilerFailure: Error {
        /// Its messages.
        public let output: String
    }

    /// Compiles C without the C library.
    ///
    /// - Parameters:
    ///   - source: The C source; `hslink.h` is included before it.
    ///   - flags: Additional flags for clang.
    ///   - kind: The kind of file to make.
    /// - Returns: The bytes of the file.
    /// - Throws: The messages of the compiler.
    public static func compile(
        _ source: String, flags: [String] = [], kind: Kind = .library
    ) throws -> [UInt8] {
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
    public static func source(name: String, version: String = "1.0.0", more: String = "") -> String {
        let json = "{\"name\": \"\(name)\", \"version\": \"\(version)\"\(more)}"
        return "HSLINK_MANIFEST(\(literal(json)))"
    }

    /// A C string literal.
    public static func literal(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
    }

    /// A component called Small.
    public static let small = Result { try compile(source(name: "Small")) }

    /// A component with additional text in its manifest, as `, "layer": "base"`.
    public static func component(_ name: String, version: String = "1.0.0", more: String = "") throws -> [UInt8] {
        try compile(source(name: name, version: version, more: more))
    }

    /// The linkers that are installed on this machine.
    public static let linkers = ["gold", "lld", "bfd"].filter { linker in
        let directories = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return directories.contains { FileManager.default.isExecutableFile(atPath: "\($0)/ld.\(linker)") }
    }

    private static var headers: String {
        BuiltProducts.packageDirectory.appending(path: "Sources/Boundary/CHSLink/include").path
    }
}

extension [UInt8] {
    /// Returns the offset of the first occurrence of `text`.
    public func position(of text: String) -> Int? {
        let bytes = Array(text.utf8)
        return indices.first { self[$0...].starts(with: bytes) }
    }

    /// Returns the bytes with one text replaced by another of the same length; empty if it does not occur.
    public func replacing(_ old: String, with new: String) -> [UInt8] {
        guard let start = position(of: old), old.utf8.count == new.utf8.count else { return [] }
        var copy = self
        copy.replaceSubrange(start..<start + old.utf8.count, with: new.utf8)
        return copy
    }
}
