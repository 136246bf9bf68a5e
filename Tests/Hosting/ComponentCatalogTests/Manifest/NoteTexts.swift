import CHSLink

@testable import ComponentCatalog

extension ManifestAssembly {
    /// The manifest of a file with these notes.
    static func manifest(_ notes: (type: Int, text: String)...) throws -> Manifest {
        var collected = ManifestAssembly()
        for note in notes {
            var text = note.text
            try text.withUTF8 { bytes in
                unsafe try collected.add(ElfNote(type: UInt32(note.type), text: UnsafeRawBufferPointer(bytes)))
            }
        }
        return try collected.manifest()
    }

    /// The manifest of a file with this text only.
    static func manifest(_ text: String) throws -> Manifest { try manifest((HSLINK_NOTE_COMPONENT, text)) }
}
