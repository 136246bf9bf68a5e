/// A position in a text: "line 3, column 7", both counted from 1, columns in characters.
public struct TextPlace: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number of the line, from 1.
    public private(set) var line = 1
    /// The number of the character in its line, from 1.
    public private(set) var column = 1

    /// The beginning of a text.
    init() {}

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// - Parameter position: an index of a byte; the end of the text if it is beyond.
    init(of position: Int, in source: SourceBytes) {
        for index in 0..<min(position, source.count) { pass(source[index]) }
    }

    /// Moves the place behind a byte of the text, which is in UTF-8.
    mutating func pass(_ byte: UInt8) {
        if byte == UInt8(ascii: "\n") {
            line += 1
            column = 1
        } else if byte & 0xC0 != 0x80 {
            column += 1
        }
    }

    /// The line and the column in words.
    public var description: String { "line \(line), column \(column)" }

    /// Whether a place comes before another one in the same text.
    public static func < (left: TextPlace, right: TextPlace) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}
