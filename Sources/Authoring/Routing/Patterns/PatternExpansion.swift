/// The text of a pattern, expanded to one text for each combination of its optional groups.
struct PatternExpansion {
    private enum Piece {
        /// A byte of the pattern, with its place in the text.
        case byte(PatternByte)
        case group([Piece])
    }

    private let pieces: [Piece]
    /// Where the first group opens.
    private var firstGroup = 0

    static let limits = (bytes: 2_048, components: 64, groups: 6)

    /// - Throws: `RoutePatternError` for a text that is too long, has too many groups, or unbalanced parentheses.
    init(_ text: String) throws(RoutePatternError) {
        guard !text.isEmpty else {
            throw RoutePatternError(message: "the pattern is empty; the root of the path is \"/\"", offset: 0)
        }
        guard text.utf8.count <= Self.limits.bytes else {
            throw RoutePatternError(
                message: "the pattern is longer than \(Self.limits.bytes) bytes", offset: Self.limits.bytes)
        }
        var open: [(pieces: [Piece], offset: Int)] = [([], 0)]
        var groups = 0
        for (offset, byte) in text.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "("):
                if groups == 0 { firstGroup = offset }
                groups += 1
                guard groups <= Self.limits.groups else {
                    throw RoutePatternError(
                        message: "a pattern has at most \(Self.limits.groups) optional groups", offset: offset)
                }
                open.append(([], offset))
            case UInt8(ascii: ")"):
                guard open.count > 1, let closed = open.popLast() else {
                    throw RoutePatternError(message: "\")\" without \"(\" before it", offset: offset)
                }
                open[open.count - 1].pieces.append(.group(closed.pieces))
            default:
                open[open.count - 1].pieces.append(.byte(PatternByte(value: byte, offset: offset)))
            }
        }
        guard open.count == 1 else {
            throw RoutePatternError(message: "\"(\" without \")\" after it", offset: open[open.count - 1].offset)
        }
        pieces = open[0].pieces
    }

    /// Returns the variants without duplicates, longest first.
    func variants(syntax: RoutePattern.Syntax) throws(RoutePatternError) -> [PatternVariant] {
        var texts = Self.combinations(pieces)
        // Of two variants with the same length, the one that keeps the earlier group comes first.
        texts = texts.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
            .map(\.element)
        var variants: [PatternVariant] = []
        for text in texts {
            var parser = PatternParser(text, syntax: syntax)
            let variant = try parser.parse()
            if !variants.contains(variant) { variants.append(variant) }
        }
        let first = variants[0]
        guard variants.allSatisfy({ $0.scheme == first.scheme && $0.beginsWithHost == first.beginsWithHost }) else {
            throw RoutePatternError(message: "the scheme cannot be in an optional group", offset: firstGroup)
        }
        return variants
    }

    private static func combinations(_ pieces: [Piece]) -> [[PatternByte]] {
        var texts: [[PatternByte]] = [[]]
        for piece in pieces {
            switch piece {
            case .byte(let byte): for index in texts.indices { texts[index].append(byte) }
            case .group(let inner):
                let choices = combinations(inner)
                texts = texts.flatMap { text in choices.map { text + $0 } + [text] }
            }
        }
        return texts
    }
}

/// A byte of a pattern, with its place in the pattern's text.
struct PatternByte: Equatable {
    let value: UInt8
    let offset: Int
}
