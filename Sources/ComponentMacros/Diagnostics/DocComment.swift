import SwiftSyntax

extension SyntaxProtocol {
    /// The first sentence of the documentation comment before a declaration, on one line; nil without one. It
    /// goes into the manifest as the summary.
    var documentationSummary: String? {
        var lines: [Substring] = []
        for piece in leadingTrivia {
            switch piece {
            case .docLineComment(let text): lines.append(text.dropFirst(3))
            case .docBlockComment(let text):
                lines += text.dropFirst(3).dropLast(2).split(separator: "\n", omittingEmptySubsequences: false)
                    .map { $0.drop { $0 == " " || $0 == "*" } }
            // A comment that something stands between belongs to something else.
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

    /// The source without comments, with single spaces where there was something between, as manifests show types
    /// and defaults.
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
