import Glibc

extension TrustChecker {
    /// Opens the file of a component once more, to load it: it is checked again, and so are its libraries.
    ///
    /// - Parameters:
    ///   - file: as the catalogue has it.
    ///   - manifest: as the catalogue has it.
    /// - Returns: the same file, open for reading. One whose permissions, owner, name or links were changed is the
    ///   same as long as it has the same manifest: then all that was listed of it is still true.
    /// - Throws: `changed` when another file lies there by now or it was written to, else as
    ///   ``openFile(path:)`` and ``checkLibraries(_:of:)``.
    package mutating func reopen(
        _ file: ComponentFile, _ manifest: Manifest
    ) throws(ComponentFileError) -> OpenFile {
        let opened = try openFile(path: file.path)
        if opened.identity != file.identity {
            guard opened.identity.differsOnlyInChangeTime(from: file.identity),
                try TrustChecker.manifest(of: opened, file) == manifest
            else {
                throw ComponentFileError(
                    code: .changed, message: "the file has changed since it was listed; list the components again")
            }
        }
        if !file.isDescription { try checkLibraries(of: opened) }
        return opened
    }

    /// Opens a library that is loaded by its path; it is checked as a component's file is, with what it needs.
    ///
    /// - Throws: as ``openFile(path:)`` and ``checkLibraries(_:of:)``, or why it is no shared object.
    package mutating func openLibrary(path: String) throws(ComponentFileError) -> OpenFile {
        let file = try openFile(path: path)
        try checkLibraries(of: file)
        return file
    }

    private mutating func checkLibraries(of file: borrowing OpenFile) throws(ComponentFileError) {
        guard policy.isChecked else { return }
        let elf = try ElfFile(descriptor: file.descriptor, size: file.identity.size, buffers: libraries.buffers)
        try checkLibraries(try elf.dynamic(), of: file.path)
    }

    private static func manifest(
        of opened: borrowing OpenFile, _ file: ComponentFile
    ) throws(ComponentFileError) -> Manifest {
        file.isDescription ? try DescriptionFile.read(opened).1 : try ComponentFileReader().read(opened).0
    }
}
