import ComponentHost
import HeaderImport

/// The library that functions are imported from.
struct SharedLibrary {
    /// The name for the description: the soname, or the path.
    let name: String
    /// The exported symbols; nil if the library is not installed on this machine.
    let symbols: Set<String>?
    /// Why the symbols are unknown; nil if they are known.
    let reason: String?

    /// - Parameter text: "z", "libz.so.1" or a path.
    /// - Throws: an `ImportError` if there is no such library, or if it is not a shared object. A file name such as
    ///   "libz.so.1" that is not found is accepted, since the library may be installed on another machine.
    init(_ text: String) throws(ImportError) {
        guard !text.isEmpty, !text.contains("\n") else { throw ImportError("expected a library, as in --library z") }
        let found = text.contains("/") ? text : try LibrarySearch.path(of: text)
        guard let path = found else {
            guard text.contains(".so") else {
                throw ImportError(
                    "lib\(text).so was not found: install the library's development package, or pass the name of "
                        + "its file, as in --library lib\(text).so.1")
            }
            name = text
            symbols = nil
            reason = "\(text) was not found"
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
            throw ImportError("\(path) is not a library: \(error.message)")
        }
    }

    /// Returns the given path if it is absolute, without resolving its symbolic links, which often stand for any
    /// version; else the resolved path.
    private static func absolute(_ text: String, _ path: String) -> String { text.hasPrefix("/") ? text : path }
}
