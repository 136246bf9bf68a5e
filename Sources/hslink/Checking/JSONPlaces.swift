import ComponentKit
import ForeignFunctions

/// Finds values in a JSON text that has been read without errors.
struct JSONPlaces {
    /// A position; lines and columns begin at 1, and columns count characters.
    struct Place: Hashable, Comparable {
        let line: Int
        let column: Int

        static func < (left: Place, right: Place) -> Bool { (left.line, left.column) < (right.line, right.column) }
    }

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the position of a key in a map or of an item in an array; if the text does not have it, that of the value
    /// in which it should be.
    ///
    /// - Parameters:
    ///   - path: the path from the root.
    ///   - inner: a position in the string at the path.
    func place(of path: [PayloadError.PathElement], _ inner: DescriptionProblem.TextPlace? = nil) -> Place {
        var (shown, value) = (skippingSpace(0), skippingSpace(0))
        for element in path {
            guard let found = member(element, of: value) else { return place(at: shown) }
            (shown, value) = found
        }
        guard let inner, byte(value) == UInt8(ascii: "\"") else { return place(at: shown) }
        return place(at: position(of: inner, inStringAt: value))
    }

    // MARK: - Positions

    private func byte(_ position: Int) -> UInt8 { position < bytes.count ? bytes[position] : 0 }

    private func place(at position: Int) -> Place {
        var (line, column) = (1, 1)
        for byte in bytes.prefix(position) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return Place(line: line, column: column)
    }

    /// Returns the position of a character of a string, which may be escaped.
    private func position(of place: DescriptionProblem.TextPlace, inStringAt start: Int) -> Int {
        var position = start + 1
        var (line, column) = (1, 1)
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if (line, column) == (place.line, place.column) { return position }
            let (isLineEnd, next) = character(position)
            line += isLineEnd ? 1 : 0
            column = isLineEnd ? 1 : column + 1
            position = next
        }
        return (line, column) == (place.line, place.column) ? position : start
    }

    /// Returns whether a character of a string ends a line, and the position after it.
    private func character(_ position: Int) -> (isLineEnd: Bool, next: Int) {
        guard byte(position) == UInt8(ascii: "\\") else {
            var next = position + 1
            while byte(next) & 0xC0 == 0x80 { next += 1 }
            return (false, next)
        }
        guard byte(position + 1) == UInt8(ascii: "u") else {
            return (byte(position + 1) == UInt8(ascii: "n"), position + 2)
        }
        let digits = String(
            decoding: bytes[min(position + 2, bytes.count)..<min(position + 6, bytes.count)], as: UTF8.self)
        // Two escapes that are one character.
        let isPair = (0xD800...0xDBFF).contains(Int(digits, radix: 16) ?? 0)
        return (digits == "000a" || digits == "000A", position + (isPair ? 12 : 6))
    }

    // MARK: - Values

    private func skippingSpace(_ start: Int) -> Int {
        var position = start
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
        return position
    }

    /// Returns the positions of a key and its value, or of an item and itself; nil if there is none.
    private func member(_ element: PayloadError.PathElement, of value: Int) -> (shown: Int, value: Int)? {
        var position = skippingSpace(value + 1)
        switch (element, byte(value)) {
        case (.key(let key), UInt8(ascii: "{")):
            while byte(position) == UInt8(ascii: "\"") {
                let end = afterString(position)
                let inner = skippingSpace(skippingSpace(end) + 1)
                if isString(position..<end, key) { return (position, inner) }
                position = skippingSpace(afterValue(inner))
                guard byte(position) == UInt8(ascii: ",") else { return nil }
                position = skippingSpace(position + 1)
            }
        case (.index(let index), UInt8(ascii: "[")):
            for count in 0... {
                guard position < bytes.count, bytes[position] != UInt8(ascii: "]") else { return nil }
                if count == index { return (position, position) }
                position = skippingSpace(afterValue(position))
                guard byte(position) == UInt8(ascii: ",") else { return nil }
                position = skippingSpace(position + 1)
            }
        default: break
        }
        return nil
    }

    /// Returns whether the string in a range, with its quotation marks, is a text.
    private func isString(_ range: Range<Int>, _ text: String) -> Bool {
        let content = bytes[range].dropFirst().dropLast()
        guard content.contains(UInt8(ascii: "\\")) else { return content.elementsEqual(text.utf8) }
        return (try? Payload(json: Array(bytes[range])).string()) == text
    }

    private func afterString(_ start: Int) -> Int {
        var position = start + 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position + 1, bytes.count)
    }

    private func afterValue(_ start: Int) -> Int {
        var (position, depth) = (start, 0)
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""): position = afterString(position)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return position }
                depth -= 1
                position += 1
            case UInt8(ascii: ",") where depth == 0: return position
            default: position += 1
            }
            if depth == 0, position > start,
                [UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\"")].contains(bytes[position - 1])
            {
                return position
            }
        }
        return position
    }
}
