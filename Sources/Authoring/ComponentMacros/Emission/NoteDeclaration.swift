import SwiftSyntax
import SwiftSyntaxBuilder

/// An ELF note in section `.note.hslink`, declared as a Swift constant. The manifest is stored on disk as such notes.
///
/// The compiler accepts neither strings nor large byte arrays in a section, so the text is written as an
/// `InlineArray` of little-endian words, padded with spaces.
struct NoteDeclaration {
    /// The note types from hslink_manifest.h that ComponentKit writes.
    enum Kind: UInt32 {
        case component = 1
        case linkClass = 2
        case service = 3
        case model = 4
        case toolchain = 16
    }

    /// The maximum number of bytes of text in a note: 4,095 words.
    static let maximumLength = 32_760

    let kind: Kind
    let text: [UInt8]
    /// Whether the declaration is a static member of a type instead of a global.
    var isMember = false

    /// Returns a note that becomes a member of the type it describes.
    ///
    /// - Throws: `MacroDiagnostic` at `syntax` if the note is too long.
    static func member(
        _ kind: Kind, _ content: NoteValue, at syntax: some SyntaxProtocol
    ) throws(MacroDiagnostic) -> NoteDeclaration {
        let text = Array(content.description.utf8)
        guard text.count <= maximumLength else {
            throw MacroDiagnostic(
                "the description of this type has \(text.count) bytes, but a note holds at most \(maximumLength): "
                    + "split the type",
                at: syntax)
        }
        return NoteDeclaration(kind: kind, text: text, isMember: true)
    }

    /// The text as little-endian words, padded with spaces.
    var words: [UInt64] {
        stride(from: 0, to: text.count, by: 8).map { start in
            (0..<8).reduce(0) { word, index in
                let byte = start + index < text.count ? text[start + index] : UInt8(ascii: " ")
                return word | UInt64(byte) << UInt64(8 * index)
            }
        }
    }

    /// Returns the declaration. `name` must be unique.
    func declaration(named name: TokenSyntax) -> DeclSyntax {
        let words = self.words
        let lines = stride(from: 0, to: words.count, by: 4).map { start in
            "        " + words[start..<min(start + 4, words.count)].map(Self.hexadecimal).joined(separator: ", ")
        }
        return """
            @section(".note.hslink") @used private nonisolated \(raw: isMember ? "static let" : "let") \(name): \
            (UInt32, UInt32, UInt32, UInt32, InlineArray<\(raw: words.count), UInt64>) = (
                4, \(raw: 8 * words.count), \(raw: kind.rawValue), 0x004C5348,
                [
            \(raw: lines.joined(separator: ",\n"))
                ]
            )
            """
    }

    private static func hexadecimal(_ word: UInt64) -> String {
        let digits = String(word, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 16 - digits.count) + digits
    }
}
