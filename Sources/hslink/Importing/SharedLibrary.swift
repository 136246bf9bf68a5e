import ComponentHost
import HeaderImport

/// The library that functions are imported from.
struct SharedLibrary {
    /// What a description names it by: the name that programs are linked to, or its path.
    let name: String
    /// Nil when it is not here, or can't be read.
    let symbols: Set<String>?
    /// Why the symbols are not known.
    let reason: String?

    /// - Parameter text: "z", "libz.so.1" or a path.
    /// - Throws: when there is no such library, except for a file name, which may be that of another machine.
    init(_ text: String) throws(ImportError) {
        guard !text.isEmpty, !text.contains("\n") else { throw ImportError("expected a library, as in --library z") }
        let found = text.contains("/") ? text : try LibrarySearch.path(of: text)
        guard let path = found else {
            guard text.contains(".so") else {
                throw ImportError(
                    "there is no lib\(text).so here: install the library's development package, or give the name of "
                        + "its file, as in --library lib\(text).so.1")
            }
            name = text
            symbols = nil
            reason = "\(text) is not here"
            return
        }
        do throws(ComponentFileError) {
            var checker = TrustChecker(policy: .unchecked)
            let file = try checker.openFile(path: path)
            let elf = try ElfFile(descriptor: file.descriptor, size: file.identity.size)
            let dynamic = try elf.dynamic()
            name = text.contains("/") ? SharedLibrary.absolute(text, file.path) : dynamic.soname ?? text
            symbols = Set(try elf.exportedSymbols(dynamic))
            reason = nil
        } catch {
            throw ImportError("\(path) is no library: \(error.message)")
        }
    }

    /// The path as it was given, where that is absolute: links in it often stand for any version.
    private static func absolute(_ text: String, _ path: String) -> String { text.hasPrefix("/") ? text : path }
}
