/// Reads what component files say about themselves, without mapping or running anything. Its memory is
/// reused from file to file; one thread at a time.
package struct ComponentFileReader {
    private let buffers = ElfFile.Buffers()

    package init() {}

    /// What `hslink inspect` shows.
    package struct Inspection: Sendable {
        package var manifest: Manifest
        package var dynamic: ElfDynamic
        package var exportedSymbols: [String]
    }

    /// - Parameter file: open at any position.
    /// - Returns: the manifest, and what the file needs.
    /// - Throws: whatever makes the file none that could be loaded as a component.
    package func read(_ file: borrowing OpenFile) throws(ComponentFileError) -> (Manifest, ElfDynamic) {
        let elf = try ElfFile(descriptor: file.descriptor, size: file.identity.size, buffers: buffers)
        return try read(elf)
    }

    /// The same and the exported symbols.
    package func inspect(_ file: borrowing OpenFile) throws(ComponentFileError) -> Inspection {
        let elf = try ElfFile(descriptor: file.descriptor, size: file.identity.size, buffers: buffers)
        let (manifest, dynamic) = try read(elf)
        return Inspection(
            manifest: manifest, dynamic: dynamic, exportedSymbols: try elf.exportedSymbols(dynamic))
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
