import Testing

@testable import ComponentMacros

@Suite("The note")
struct NoteDeclarationTests {
    @Test(
        "words are little-endian and filled up with spaces",
        arguments: [
            ("", []), ("{", [0x2020_2020_2020_207B]), ("12345678", [0x3837_3635_3433_3231]),
            ("12345678ü", [0x3837_3635_3433_3231, 0x2020_2020_2020_BCC3]),
        ] as [(String, [UInt64])])
    func words(_ text: String, _ words: [UInt64]) {
        #expect(NoteDeclaration(kind: .component, text: Array(text.utf8)).words == words)
    }

    /// A manifest whose note has `count` bytes before it is filled up.
    private func manifest(noteOf count: Int) -> String {
        let rest = #"{"module":"Video","name":"V","version":"1.0.0","summary":""}"#
        let summary = String(repeating: "s", count: count - rest.utf8.count)
        return #"{"name":"V","version":"1.0.0","summary":"\#(summary)"}"#
    }

    @Test("a manifest of 32,760 bytes fits")
    func longest() throws {
        let expansion = try Expansion(manifest: manifest(noteOf: 32_760))
        #expect(expansion.diagnostics == [])
        #expect(expansion.declaredSize == 32_760)
        #expect(expansion.source.contains("InlineArray<4095, UInt64>"))
        #expect(expansion.noteText.utf8.count == 32_760)
        #expect(expansion.noteText.hasPrefix(#"{"module":"Video","name":"V","version":"1.0.0","summary":"sss"#))
        #expect(expansion.noteText.hasSuffix(#"sss"}"#))
    }

    @Test("one byte more is refused with both numbers")
    func tooLong() throws {
        let expansion = try Expansion(manifest: manifest(noteOf: 32_761))
        #expect(
            expansion.diagnostics == [
                "1:11 the manifest takes 32761 bytes without its spaces, a note holds 32760: shorten its summaries, "
                    + "or split the component"
            ])
        #expect(!expansion.source.contains("@section"))
    }

    @Test("whitespace does not count")
    func spaces() throws {
        let json = manifest(noteOf: 32_760).replacing(",", with: "," + String(repeating: " ", count: 40_000))
        #expect(try Expansion(manifest: json).declaredSize == 32_760)
    }
}
