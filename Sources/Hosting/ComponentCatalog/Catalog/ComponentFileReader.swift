/// Reads the manifests of component files without mapping or running them. Buffers are reused from file to file, so use
/// a reader from one thread at a time.
package struct ComponentFileReader {
    private let buffers = ElfFile.Buffers()

    package init() {}

    /// The data that `hslink inspect` shows.
    package struct Inspection: Sendable {
        package var manifest: Manifest
        package var dynamic: ElfDynamic
        package var exportedSymbols: [String]
        /// The variables that the component shares with others; see ``ElfFile/sharedVariables(_:)``.
        package var sharedVariables: [String]
    }

    /// Reads the manifest and the dynamic section of a file.
    ///
    /// - Parameter file: An open file; its position does not matter.
    /// - Returns: The manifest, and the libraries and search paths that the file names.
    /// - Throws: `ComponentFileError` if the file cannot be loaded as a component.
    package func read(_ file: borrowing OpenFile) throws(ComponentFileError) -> (Manifest, ElfDynamic) {
        let elf = try ElfFile(descriptor: file.descriptor, size: file.identity.size, buffers: buffers)
        return try read(elf)
    }

    /// Reads the manifest, the dynamic section and the exported symbols of a file.
    package func inspect(_ file: borrowing OpenFile) throws(ComponentFileError) -> Inspection {
        let elf = try ElfFile(descriptor: file.descriptor, size: file.identity.size, buffers: buffers)
        let (manifest, dynamic) = try read(elf)
        return Inspection(
            manifest: manifest, dynamic: dynamic, exportedSymbols: try elf.exportedSymbols(dynamic),
            sharedVariables: try elf.sharedVariables(dynamic))
    }

    private func read(_ elf: ElfFile) throws(ComponentFileError) -> (Manifest, ElfDynamic) {
        var notes = ManifestAssembly()
        unsafe try elf.forEachNote { (note) throws(ComponentFileError) in unsafe try notes.add(note) }
        let manifest = try notes.manifest()
        let dynamic = try elf.dynamic()
        if dynamic.isProgram {
            throw .notASharedObject("the ELF file is a program (position-independent)")
        }
        return (manifest, dynamic)
    }
}
