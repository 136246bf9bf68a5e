import Glibc
import SystemSupport

/// Finds the file that the linker would use for a library.
package enum LibrarySearch {
    /// Returns the path of a library's file.
    ///
    /// - Parameters:
    ///   - name: A name as in `-lz`, such as "z", or a file name such as "libz.so.1".
    ///   - directories: The directories to search first.
    /// - Returns: The path, or nil if clang does not find the file.
    /// - Throws: `ImportError` if clang is not found.
    package static func path(of name: String, in directories: [String] = []) throws(ImportError) -> String? {
        let clang = try Clang(headers: [], options: [])
        let file = name.contains(".so") ? name : "lib\(name).so"
        let near = directories.first { directory in unsafe access("\(directory)/\(file)", R_OK) == 0 }
        var found = near.map { "\($0)/\(file)" }
        if found == nil { found = try clang.fileName(file) }
        guard let path = found else { return nil }
        // Some .so files are linker scripts: GROUP ( /lib/x86_64-linux-gnu/libm.so.6 … ), INPUT(libncurses.so.6 …).
        guard let text = FileText.read(path, atMost: 4096), !text.starts(with: [0x7F]) else { return path }
        let words = String(decoding: text, as: UTF8.self).split { $0 == " " || $0 == "\n" || $0 == "(" || $0 == ")" }
        guard let library = words.first(where: { $0.contains(".so.") }) else { return path }
        return library.hasExactPrefix("/") ? String(library) : try clang.fileName(String(library)) ?? path
    }
}

extension Clang {
    /// Returns the path at which the linker would find a file; nil if it would not find it.
    fileprivate func fileName(_ name: String) throws(ImportError) -> String? {
        let run = try Clang.output(of: program, ["-print-file-name=\(name)"])
        let path = String(decoding: run.standardOutput.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return run.status == 0 && path.hasExactPrefix("/") ? path : nil
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
