/// Finds what the linker would take for a library.
package enum LibrarySearch {
    /// The path of a file of a library.
    ///
    /// - Parameter name: "z" for what `-lz` links with, or "libz.so.1".
    /// - Returns: nil when the compiler knows of none.
    /// - Throws: when there is no clang.
    package static func path(of name: String) throws(ImportError) -> String? {
        let clang = try Clang(headers: [], directories: [], definitions: [])
        let file = name.contains(".so") ? name : "lib\(name).so"
        guard let path = try clang.fileName(file) else { return nil }
        // Development files of glibc are texts for the linker: GROUP ( /lib/x86_64-linux-gnu/libm.so.6 … ).
        guard let text = FileText.read(path, atMost: 4096), !text.starts(with: [0x7F]) else { return path }
        let words = String(decoding: text, as: UTF8.self).split { $0 == " " || $0 == "\n" || $0 == "(" || $0 == ")" }
        guard let library = words.first(where: { $0.hasPrefix("/") && $0.contains(".so.") }) else { return path }
        return String(library)
    }
}

extension Clang {
    /// Where the linker would find a file; nil when nowhere.
    func fileName(_ name: String) throws(ImportError) -> String? {
        let run = try ProgramOutput.of(program, ["-print-file-name=\(name)"], input: "")
        let path = String(decoding: run.standardOutput.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return run.status == 0 && path.hasPrefix("/") ? path : nil
    }
}
