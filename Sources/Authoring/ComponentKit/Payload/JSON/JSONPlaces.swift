import SystemSupport

/// Finds where values are written in a JSON text that has been read without errors, for messages about files.
///
/// A component that reads files that people have written can say where a mistake is, not only in which value: a
/// ``PayloadError`` has the path of the value, and an object of this type finds the path in the text.
///
///     let payload = try Payload(json: text)
///     do {
///         options = try payload.value()
///     } catch {
///         let place = JSONPlaces(Array(text.utf8)).placeOfValue(at: error.path)
///         throw Refusal("\(file):\(place.line):\(place.column): \(error.text(root: nil))")
///     }
///
/// Each map and each array is read once, however many of its values are asked for. An object may be used by one thread
/// at a time.
public final class JSONPlaces {
    private let bytes: [UInt8]
    private static let blockSize = 1024
    /// What has been read so far, by the positions of the values.
    private var members: [Int: [Member: Found]] = [:]
    /// The character of a string that was asked for last.
    private var lastCharacter: (string: Int, place: TextPlace, position: Int)?

    /// A key in a map, or an item in an array.
    private enum Member: Hashable {
        case key(ExactText)
        case index(Int)
    }

    /// The position of a key and that of its value, or twice that of an item.
    private typealias Found = (shown: Int, value: Int)

    /// The places at which blocks of the text begin.
    private lazy var blocks: [TextPlace] = {
        var place = TextPlace()
        return stride(from: 0, through: bytes.count, by: JSONPlaces.blockSize).map { start in
            place = JSONPlaces.place(after: bytes[max(start - JSONPlaces.blockSize, 0)..<start], from: place)
            return place
        }
    }()

    /// Creates a finder for a text; nothing is read yet.
    ///
    /// - Parameter bytes: The text in UTF-8. In a text that is not JSON, no place means anything.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the position of a key in a map or of an item in an array; if the text does not have it, that of the value
    /// in which it should be.
    public func place(of path: [PayloadError.PathElement]) -> TextPlace { place(at: find(path).shown) }

    /// Returns the position of a value; that of the value around it if there is no such value.
    public func placeOfValue(at path: [PayloadError.PathElement]) -> TextPlace { place(at: find(path).value) }

    /// Returns the position of a character in the text at a path, such as that of an error in a declaration; that of
    /// the text if it does not have the character.
    ///
    /// - Parameter inner: the character's line and column in the text itself.
    package func place(of path: [PayloadError.PathElement], character inner: TextPlace) -> TextPlace {
        let (shown, value, isThere) = find(path)
        guard isThere, byte(value) == UInt8(ascii: "\"") else { return place(at: shown) }
        return place(at: position(of: inner, inStringAt: value))
    }

    /// Returns what is at a path, or what contains it and false.
    private func find(_ path: [PayloadError.PathElement]) -> (shown: Int, value: Int, isThere: Bool) {
        var found: Found = (skippingSpace(0), skippingSpace(0))
        for element in path {
            guard let inner = member(element, of: found.value) else { return (found.shown, found.value, false) }
            found = inner
        }
        return (found.shown, found.value, true)
    }

    // MARK: - Positions

    private func byte(_ position: Int) -> UInt8 { position < bytes.count ? bytes[position] : 0 }

    private func place(at position: Int) -> TextPlace {
        let position = min(position, bytes.count)
        let block = position / JSONPlaces.blockSize
        return JSONPlaces.place(after: bytes[block * JSONPlaces.blockSize..<position], from: blocks[block])
    }

    private static func place(after bytes: ArraySlice<UInt8>, from start: TextPlace) -> TextPlace {
        var place = start
        for byte in bytes { place.pass(byte) }
        return place
    }

    /// Returns the position of a character of a string, which may be escaped; that of the string if it has no such
    /// character.
    private func position(of place: TextPlace, inStringAt start: Int) -> Int {
        var (current, position) = (TextPlace(), start + 1)
        // Errors in a long string come in order.
        if let last = lastCharacter, last.string == start, last.place <= place {
            (current, position) = (last.place, last.position)
        }
        while current < place, position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            let (isLineEnd, next) = character(position)
            current =
                isLineEnd
                ? TextPlace(line: current.line + 1, column: 1)
                : TextPlace(line: current.line, column: current.column + 1)
            position = next
        }
        lastCharacter = (start, current, position)
        return current == place ? position : start
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

    /// Returns the positions of a key or an item of a value and of what it contains; nil if there is none.
    private func member(_ element: PayloadError.PathElement, of value: Int) -> Found? {
        let known = members[value] ?? readMembers(of: value)
        members[value] = known
        return switch element {
        case .key(let key): known[.key(ExactText(key))]
        case .index(let index): known[.index(index)]
        }
    }

    private func readMembers(of value: Int) -> [Member: Found] {
        let isMap = byte(value) == UInt8(ascii: "{")
        guard isMap || byte(value) == UInt8(ascii: "[") else { return [:] }
        var found: [Member: Found] = [:]
        var position = skippingSpace(value + 1)
        while position < bytes.count {
            let (shown, member): (Int, Member)
            if isMap {
                guard byte(position) == UInt8(ascii: "\"") else { break }
                let end = afterString(position)
                (shown, member) = (position, .key(text(position..<end)))
                position = skippingSpace(skippingSpace(end) + 1)
            } else {
                guard byte(position) != UInt8(ascii: "]") else { break }
                (shown, member) = (position, .index(found.count))
            }
            found[member] = (shown, position)
            position = skippingSpace(afterValue(position))
            guard byte(position) == UInt8(ascii: ",") else { break }
            position = skippingSpace(position + 1)
        }
        return found
    }

    /// Returns the text of the string in a range, with its quotation marks.
    private func text(_ range: Range<Int>) -> ExactText {
        let content = bytes[range].dropFirst().dropLast()
        guard content.contains(UInt8(ascii: "\\")) else { return ExactText(String(decoding: content, as: UTF8.self)) }
        return ExactText((try? Payload(json: Array(bytes[range])).string()) ?? "")
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
