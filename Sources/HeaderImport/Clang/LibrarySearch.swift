import Glibc
import SystemSupport

/// Finds the file that the linker would use for a library.
package enum LibrarySearch {
    /// Returns the path of a library's file.
    ///
    /// - Parameter name: A name as in `-lz`, such as "z", or a file name such as "libz.so.1".
    /// - Returns: The path, or nil if clang does not find the file.
    /// - Throws: `ImportError` if clang is not found.
    package static func path(of name: String) throws(ImportError) -> String? {
        let clang = try Clang(headers: [], directories: [], definitions: [])
        let file = name.contains(".so") ? name : "lib\(name).so"
        guard let path = try clang.fileName(file) else { return nil }
        // Some of glibc's .so files are linker scripts: GROUP ( /lib/x86_64-linux-gnu/libm.so.6 … ).
        guard let text = FileText.read(path, atMost: 4096), !text.starts(with: [0x7F]) else { return path }
        let words = String(decoding: text, as: UTF8.self).split { $0 == " " || $0 == "\n" || $0 == "(" || $0 == ")" }
        guard let library = words.first(where: { $0.hasPrefix("/") && $0.contains(".so.") }) else { return path }
        return String(library)
    }
}

extension Clang {
    /// Returns the path at which the linker would find a file; nil if it would not find it.
    fileprivate func fileName(_ name: String) throws(ImportError) -> String? {
        let run = try Clang.output(of: program, ["-print-file-name=\(name)"])
        let path = String(decoding: run.standardOutput.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return run.status == 0 && path.hasPrefix("/") ? path : nil
    }
}

/// Reads the beginning of a file.
private enum FileText {
    /// Returns at most `count` bytes from the beginning of a file, or nil if it can't be read.
    static func read(_ path: String, atMost count: Int) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(file, $0.baseAddress, $0.count) }
        return read < 0 ? nil : Array(bytes.prefix(read))
    }
}

/// Finds the version of a library in its development package.
package enum PackageVersion {
    /// Queries pkg-config for the version.
    ///
    /// - Parameter names: The possible names of the package, most likely first.
    /// - Returns: A version with three numbers, such as "1.2.13", or nil if pkg-config knows none of the names.
    package static func find(_ names: [String]) -> String? {
        guard let program = ProgramSearch.program("pkg-config") ?? ProgramSearch.program("pkgconf") else { return nil }
        for name in names {
            guard let run = try? ProgramOutput.of(program, ["--modversion", "--", name], input: ""), run.status == 0
            else { continue }
            let text = String(decoding: run.standardOutput, as: UTF8.self)
            var numbers = text.split(whereSeparator: \.isWhitespace).first.map { $0.split(separator: ".") } ?? []
            numbers = Array(numbers.prefix(3)).map { $0.prefix { $0.isNumber && $0.isASCII } }
            guard !numbers.isEmpty, numbers.allSatisfy({ UInt64($0) != nil }) else { continue }
            // Remove leading zeros and pad to three numbers.
            let parts = numbers.compactMap { UInt64($0) }.map(String.init) + ["0", "0"]
            return parts.prefix(3).joined(separator: ".")
        }
        return nil
    }
}
