import SwiftParser
import SwiftSyntax

/// The value of a plain string literal in UTF-8, with the way back from a byte of it to its line in the source.
///
/// Single-line, multi-line and raw literals are read alike; escapes of Swift are resolved before anyone sees the text.
struct LiteralText {
    let bytes: [UInt8]
    let literal: StringLiteralExprSyntax
    /// The segments (one a line in a multi-line literal) with the offset in `bytes` at which each begins.
    private let segments: [(start: Int, syntax: StringSegmentSyntax)]

    /// Reads the only argument of `macro`.
    init(argumentOf macro: some FreestandingMacroExpansionSyntax) throws(MacroDiagnostic) {
        let name = macro.macroName.text
        guard let argument = macro.arguments.first?.expression else {
            throw MacroDiagnostic("#\(name) needs a string literal as its argument", at: macro)
        }
        guard let literal = argument.as(StringLiteralExprSyntax.self) else {
            throw MacroDiagnostic(
                "#\(name) needs its text as one string literal here: a macro sees the source of its argument, not its value",
                at: argument)
        }
        var bytes: [UInt8] = []
        var segments: [(start: Int, syntax: StringSegmentSyntax)] = []
        for segment in literal.segments {
            guard case .stringSegment(let text) = segment else {
                throw MacroDiagnostic(
                    "#\(name) can't work out an interpolation: write the text itself, or use a raw literal "
                        + "#\"\"\"…\"\"\"# if the backslash belongs to it",
                    at: segment)
            }
            let alone = literal.with(\.segments, [.stringSegment(text)])
            guard let value = alone.representedLiteralValue else {
                throw MacroDiagnostic("#\(name) can't read this string literal: correct its errors first", at: text)
            }
            segments.append((bytes.count, text))
            bytes.append(contentsOf: value.utf8)
        }
        self.bytes = bytes
        self.literal = literal
        self.segments = segments
    }

    /// The piece of the source, one line in a multi-line literal, that the byte at `offset` comes from.
    func syntax(at offset: Int) -> Syntax {
        guard let segment = segments.last(where: { $0.start <= offset }), !bytes.isEmpty else { return Syntax(literal) }
        return Syntax(segment.syntax)
    }

    /// Where the byte at `offset` stands in the text, for people: lines and characters, both counted from 1.
    func place(of offset: Int) -> String {
        let before = bytes.prefix(offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = String(decoding: before[lineStart...], as: UTF8.self).count + 1
        return "line \(line), column \(column)"
    }
}
