import Glibc

extension TrustChecker {
    /// Opens a component's file again in order to load it, and checks it and its libraries again.
    ///
    /// - Parameters:
    ///   - file: The file in the catalog.
    ///   - manifest: The manifest in the catalog.
    /// - Returns: The same file, open for reading. A file whose permissions, owner, name or links have changed counts
    ///   as the same if it has the same manifest, because everything in the catalog is then still true.
    /// - Throws: `changed` if the file was replaced or written to; the errors of ``openFile(path:)`` and
    ///   ``checkLibraries(_:of:)``.
    package mutating func reopen(
        _ file: ComponentFile, _ manifest: Manifest
    ) throws(ComponentFileError) -> OpenFile {
        let opened = try openFile(path: file.path)
        if opened.identity != file.identity {
            guard opened.identity.differsOnlyInChangeTime(from: file.identity),
                try TrustChecker.manifest(of: opened, file).isExactly(manifest)
            else {
                throw ComponentFileError(
                    code: .changed, message: "the file has changed since it was listed; rescan the directories")
            }
        }
        if file.format == nil {
            try TrustChecker.refuseLoaderTokens(in: opened.path)
            try checkLibraries(of: opened)
        }
        return opened
    }

    /// Opens a library that will be loaded by its path, without links. It is checked like a component's file, together
    /// with the libraries that it needs.
    ///
    /// - Throws: The errors of ``openFile(path:)`` and ``checkLibraries(_:of:)``; unless the policy is
    ///   ``TrustPolicy/unchecked``, also those of ``ElfFile`` if the file is not a shared object. `loaderToken` if the
    ///   loader would not open this path.
    package mutating func openLibrary(path: String) throws(ComponentFileError) -> OpenFile {
        let file = try openFile(path: path)
        try TrustChecker.refuseLoaderTokens(in: file.path)
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
        if let format = file.format { return try format.read(opened).manifest }
        return try ComponentFileReader().read(opened).0
    }
}
