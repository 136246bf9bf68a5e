import SwiftSyntax
import SwiftSyntaxBuilder
import Testing

@Suite("The note")
struct NoteDeclarationTests {
    @Test(
        "words are little-endian and padded with spaces",
        arguments: [
            ("", []), ("{", [0x2020_2020_2020_207B]), ("12345678", [0x3837_3635_3433_3231]),
            ("12345678ü", [0x3837_3635_3433_3231, 0x2020_2020_2020_BCC3]),
        ] as [(String, [UInt64])])
    func words(_ text: String, _ words: [UInt64]) {
        #expect(NoteDeclaration(kind: .component, text: Array(text.utf8)).words == words)
    }

    /// A note of `count` bytes before padding.
    private func note(of count: Int) throws(MacroDiagnostic) -> NoteDeclaration {
        let rest = #"{"summary":""}"#
        let summary = String(repeating: "s", count: count - rest.utf8.count)
        return try NoteDeclaration.member(
            .component, .object([("summary", .string(summary))]), at: TokenSyntax.identifier("Video"))
    }

    @Test("a note of 32,760 bytes fits")
    func longest() throws {
        let source = try note(of: 32_760).declaration(named: "note").description
        #expect(source.contains("InlineArray<4095, UInt64>"))
        #expect(source.contains("4, 32760, 1, 0x004C5348"))
    }

    @Test("one byte more is refused with both numbers")
    func tooLong() {
        #expect {
            try note(of: 32_761)
        } throws: { error in
            (error as? MacroDiagnostic)?.message
                == "the description of this type has 32761 bytes, but a note holds at most 32760: split the type"
        }
    }
}
