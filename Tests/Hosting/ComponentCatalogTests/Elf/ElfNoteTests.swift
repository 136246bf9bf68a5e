import TestSupport
import Testing

@testable import ComponentCatalog

@Suite("ELF notes")
struct ElfNoteTests {
    /// Inline assembly that adds bytes to the note section before or after those of the C code.
    static func assembly(_ lines: String) -> String {
        let text = CompiledLibrary.literal(
            ".pushsection .note.hslink,\"a\",@note\n.balign 4\n\(lines)\n.balign 8\n.popsection\n")
        return "__asm__(\(text));"
    }

    /// A note of another owner.
    static func padding(bytes: Int) -> String {
        assembly(".long 4, \(bytes), 1\n.asciz \"GNU\"\n.zero \(bytes)")
    }

    static let component = ElfContents.Note(type: 1, text: #"{"name": "Small", "version": "1.0.0"}"#)
    static let toolchain = ElfContents.Note(type: 16, text: #"{"abi": "1.0"}"#)
    static let source = CompiledLibrary.source(name: "Small")

    @Test("a linker is installed")
    func hasLinkers() { #expect(!CompiledLibrary.linkers.isEmpty) }

    @Test("the notes of a component are found, whichever linker was used", arguments: CompiledLibrary.linkers)
    func linkers(_ linker: String) throws {
        let bytes = try CompiledLibrary.compile(Self.source, flags: ["-fuse-ld=\(linker)", "-Wl,-s"])
        #expect(try ElfContents(bytes).notes == [Self.component, Self.toolchain])
    }

    @Test("the zero words that the address sanitizer puts between notes are skipped")
    func sanitizer() throws {
        let bytes = try CompiledLibrary.compile(Self.source, flags: ["-fsanitize=address"])
        #expect(try ElfContents(bytes).notes == [Self.component, Self.toolchain])
    }

    @Test("notes of other owners are skipped, whatever the length of their names and contents")
    func otherOwners() throws {
        let others = Self.assembly(
            """
            .long 4, 3, 1
            .asciz "GNU"
            .byte 1, 2, 3, 0
            .long 9, 0, 1
            .asciz "Whoever!"
            .balign 4
            .long 4, 5, 1
            .asciz "hsl"
            .byte 1, 2, 3, 4, 5
            """)
        let bytes = try CompiledLibrary.compile("\(others)\n\(Self.source)\n\(Self.padding(bytes: 16))")
        #expect(try ElfContents(bytes).notes == [Self.component, Self.toolchain])
    }

    @Test("notes beyond the first read are found")
    func farNotes() throws {
        let bytes = try CompiledLibrary.compile("\(Self.padding(bytes: 100_000))\n\(Self.source)")
        #expect(try ElfContents(bytes).notes == [Self.component, Self.toolchain])
    }

    @Test("10,000 empty notes are read")
    func manyNotes() throws {
        let many = Self.assembly(".rept 10000\n.long 4, 0, 99\n.asciz \"HSL\"\n.endr")
        let notes = try ElfContents(CompiledLibrary.compile("\(many)\n\(Self.source)")).notes
        #expect(notes.count == 10_002)
        #expect(notes.filter { $0 == ElfContents.Note(type: 99, text: "") }.count == 10_000)
        #expect(notes.contains(Self.component))
    }

    @Test("notes of more than 4 MB are refused")
    func hugeNotes() throws {
        let bytes = try CompiledLibrary.compile("\(Self.padding(bytes: 5_000_000))\n\(Self.source)")
        let error = try #require(try refusal { _ = try ElfContents(bytes) })
        #expect(error.code == .malformed && error.message.contains("larger than 4 MB"), "\(error)")
    }

    @Test("a shared object without notes has none")
    func noNotes() throws {
        #expect(try ElfContents(CompiledLibrary.compile("int x;")).notes.isEmpty)
    }

    @Test("trailing zeros and spaces are not part of a text")
    func padding() throws {
        let filled = Self.assembly(".long 4, 8, 7\n.asciz \"HSL\"\n.ascii \"{}  \"\n.long 0")
        #expect(try ElfContents(CompiledLibrary.compile(filled)).notes == [ElfContents.Note(type: 7, text: "{}")])
    }
}
