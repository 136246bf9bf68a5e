import ComponentHost
import HeaderImport
import SystemSupport

/// The library that functions are imported from.
struct ImportedLibrary {
    /// The name for the description: the soname, or a path that is absolute or relative to the description.
    let name: String
    /// The exported symbols; nil if the library is not installed on this machine.
    let symbols: Set<String>?
    /// What a reader of the description should know about the library; nil if there is nothing.
    let note: String?

    /// - Parameters:
    ///   - text: "z", "libz.so.1" or a path.
    ///   - directories: The directories in which the package's library may be.
    ///   - output: The path of the description; nil for standard output.
    /// - Throws: an `ImportError` if there is no such library, or if it is not a shared object. A file name such as
    ///   "libz.so.1" that is not found is accepted, since the library may be installed on another machine.
    init(_ text: String, in directories: [String] = [], for output: String?) throws(ImportError) {
        guard !text.isEmpty, !text.contains("\n") else { throw ImportError("expected a library, as in --library z") }
        let found = text.hasASCII("/") ? text : try LibrarySearch.path(of: text, in: directories)
        guard let path = found else {
            guard text.contains(".so") else {
                throw ImportError(
                    "lib\(text).so was not found: install the library's development package, or pass the name of "
                        + "its file, as in --library lib\(text).so.1")
            }
            name = text
            symbols = nil
            note = "\(text) was not found; its symbols were not checked"
            return
        }
        do throws(ComponentFileError) {
            var checker = TrustChecker(policy: .unchecked)
            let file = try checker.openFile(path: path)
            let elf = try ElfFile(descriptor: file.descriptor, size: file.identity.size)
            let dynamic = try elf.dynamic()
            symbols = Set(try elf.exportedSymbols(dynamic))
            if !text.hasASCII("/") {
                name = dynamic.soname ?? text
                note = nil
            } else if text.hasExactPrefix("/") {
                // Its symbolic links often stand for any version.
                name = text
                note = nil
            } else {
                (name, note) = ImportedLibrary.place(of: text, besides: output)
            }
        } catch {
            throw ImportError("\(path) is not a library: \(error.message)")
        }
    }

    /// Returns how the description names a library whose path is relative to the working directory. If the library is
    /// not below the directory of the description, it has to be put there.
    private static func place(of path: String, besides output: String?) -> (name: String, note: String?) {
        let directory = output?.splitPath.directory ?? "."
        let file = path.exactParts(between: "/").last ?? path
        if let folder = AbsolutePath.resolved(directory),
            let parent = AbsolutePath.resolved(
                String(decoding: path.utf8.dropLast(file.utf8.count), as: UTF8.self) + ".")
        {
            if parent.isExactly(folder) { return ("./\(file)", nil) }
            let inside = folder == "/" ? "/" : "\(folder)/"
            if parent.hasExactPrefix(inside) {
                return ("./\(String(decoding: parent.utf8.dropFirst(inside.utf8.count), as: UTF8.self))/\(file)", nil)
            }
        }
        return (
            "./\(file)", "./\(file): hosts look for it next to the description, in \(directory); put it there"
        )
    }
}
