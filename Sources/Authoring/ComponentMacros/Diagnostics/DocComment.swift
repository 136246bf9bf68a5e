import SwiftSyntax

extension SyntaxProtocol {
    /// The first sentence of the declaration's documentation comment, on one line; nil if it has none. The manifest
    /// uses it as the summary.
    var documentationSummary: String? {
        var lines: [Substring] = []
        for piece in leadingTrivia {
            switch piece {
            case .docLineComment(let text): lines.append(text.dropFirst(3))
            case .docBlockComment(let text):
                lines += text.dropFirst(3).dropLast(2).split(separator: "\n", omittingEmptySubsequences: false)
                    .map { $0.drop { $0 == " " || $0 == "*" } }
            // A comment before a blank line does not belong to the declaration.
            case .newlines(let count) where count > 1: lines = []
            default: break
            }
        }
        let words = lines.drop { $0.allSatisfy(\.isWhitespace) }.prefix { !$0.allSatisfy(\.isWhitespace) }
            .joined(separator: " ").split(whereSeparator: \.isWhitespace)
        var sentence: [Substring] = []
        for word in words {
            sentence.append(word)
            if word.hasSuffix(".") && !word.hasSuffix("e.g.") && !word.hasSuffix("i.e.") { break }
        }
        let text = sentence.joined(separator: " ")
        return text.isEmpty ? nil : text
    }

    /// The source without comments and with single spaces between tokens that trivia separated. Manifests show types
    /// and defaults in this form.
    var oneLineDescription: String {
        var text = ""
        var isFirst = true
        for token in tokens(viewMode: .sourceAccurate) {
            if !isFirst, hasSpace(before: token) { text += " " }
            text += token.text
            isFirst = false
        }
        return text
    }

    private func hasSpace(before token: TokenSyntax) -> Bool {
        !token.leadingTrivia.isEmpty
            || token.previousToken(viewMode: .sourceAccurate)?.trailingTrivia.isEmpty == false
    }
}
