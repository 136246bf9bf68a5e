import SystemSupport

/// A place in a file, which messages point to.
package struct SourceLocation: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The path of the file, as found from the path on the command line.
    package let file: String
    /// The line, counted from 1.
    package let line: Int
    /// The column in bytes, counted from 1, as compilers do.
    package let column: Int

    /// The file and the line, as in `A/Models.swift:9`.
    package var description: String { "\(file):\(line)" }

    package static func < (first: SourceLocation, second: SourceLocation) -> Bool {
        (first.file, first.line, first.column) < (second.file, second.line, second.column)
    }
}

/// The contents of a file, and where its lines begin.
struct SourceText: Sendable {
    /// The path of the file.
    let file: String
    let bytes: [UInt8]
    /// The offsets of the first bytes of all lines.
    private let lineStarts: [Int]

    init(file: String, bytes: [UInt8]) {
        self.file = file
        self.bytes = bytes
        var starts = [0]
        for (index, byte) in bytes.enumerated() {
            // CR, LF and CR LF each end a line.
            let isReturn = byte == .carriageReturn && (index + 1 == bytes.count || bytes[index + 1] != .lineFeed)
            if byte == .lineFeed || isReturn { starts.append(index + 1) }
        }
        lineStarts = starts
    }

    /// Returns the location of a byte.
    func location(of offset: Int) -> SourceLocation {
        let line = lineStarts.partitioningIndex { $0 > offset }
        return SourceLocation(file: file, line: line, column: offset - lineStarts[line - 1] + 1)
    }

    /// Returns the text of some bytes.
    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self)
    }
}

extension UInt8 {
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let slash = UInt8(ascii: "/")
    static let star = UInt8(ascii: "*")
    static let backslash = UInt8(ascii: "\\")
    static let quote = UInt8(ascii: "\"")

    /// Whether this is a space, a tab, or the end of a line or page.
    var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    /// Whether a line ends with this byte. CR LF is one end.
    var isLineEnd: Bool { self == .lineFeed || self == .carriageReturn }

    var isDigit: Bool { (0x30...0x39).contains(self) }

    /// Whether an identifier may begin with this byte; bytes of other characters than ASCII are letters.
    var isLetter: Bool { (0x41...0x5A).contains(self & 0xDF) || self == UInt8(ascii: "_") || self >= 0x80 }

    /// Whether this byte may be part of an identifier.
    var isWord: Bool { isLetter || isDigit || self == UInt8(ascii: "$") }
}
