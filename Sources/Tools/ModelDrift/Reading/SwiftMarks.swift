import SwiftSyntax
import SystemSupport

/// The marks in the comments of a Swift file.
struct SwiftMarks {
    /// The marks in order, each with the offset of its comment.
    private var marks: [(offset: Int, mark: Mark)] = []
    private var used: Set<Int> = []

    init(in tree: SourceFileSyntax, of source: SourceText) {
        // Most files have none.
        guard source.contains(Mark.introduction) else { return }
        for token in tree.tokens(viewMode: .sourceAccurate) {
            var offset = token.position.utf8Offset
            read(token.leadingTrivia, from: &offset, source)
            offset = token.endPositionBeforeTrailingTrivia.utf8Offset
            read(token.trailingTrivia, from: &offset, source)
        }
    }

    private mutating func read(_ trivia: Trivia, from offset: inout Int, _ source: SourceText) {
        for piece in trivia {
            switch piece {
            case .lineComment(let text), .blockComment(let text), .docLineComment(let text), .docBlockComment(let text):
                for mark in Mark.marks(in: text, at: offset, of: source) { marks.append((offset, mark)) }
            default: break
            }
            offset += piece.sourceLength.utf8Length
        }
    }

    /// Returns the marks in a part of the file, which belong to one declaration.
    mutating func take(_ range: Range<Int>) -> [Mark] {
        let indices = index(at: range.lowerBound)..<index(at: range.upperBound)
        used.formUnion(indices)
        return marks[indices].map(\.mark)
    }

    /// Returns the index of the first mark at an offset or after it.
    private func index(at offset: Int) -> Int { marks.partitioningIndex { $0.offset >= offset } }

    /// The marks that belong to no declaration.
    var unused: [Mark] { marks.indices.filter { !used.contains($0) }.map { marks[$0].mark } }
}

extension SourceText {
    func contains(_ text: String) -> Bool { bytes.firstRange(of: Array(text.utf8)) != nil }
}
