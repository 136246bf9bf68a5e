import ComponentKit

/// Finds where a value is written in a JSON text, for messages about pages.
struct JSONPlaces {
    /// A place in a text, both from 1. Columns are counted in characters.
    struct Place: Hashable {
        var line: Int
        var column: Int
    }

    private let bytes: [UInt8]

    /// - Parameter text: A text that has been read as JSON without an error.
    init(_ text: String) { bytes = Array(text.utf8) }

    /// Returns the place of a value; that of the value around it if there is no such value.
    func place(of path: [PayloadError.PathElement]) -> Place {
        var position = skippingSpace(from: 0)
        for element in path {
            guard let next = find(element, in: position) else { break }
            position = next
        }
        return place(at: position)
    }

    private func place(at position: Int) -> Place {
        var place = Place(line: 1, column: 1)
        for byte in bytes.prefix(position) {
            if byte == UInt8(ascii: "\n") {
                place = Place(line: place.line + 1, column: 1)
            } else if byte & 0xC0 != 0x80 {
                place.column += 1
            }
        }
        return place
    }

    /// Returns the position of an item or a member of the array or object at a position.
    private func find(_ element: PayloadError.PathElement, in container: Int) -> Int? {
        let isMap = byte(container) == UInt8(ascii: "{")
        guard isMap || byte(container) == UInt8(ascii: "[") else { return nil }
        var position = skippingSpace(from: container + 1)
        var index = 0
        while let first = byte(position), first != UInt8(ascii: "}"), first != UInt8(ascii: "]") {
            var isWanted = element == .index(index)
            if isMap {
                let end = skippingValue(from: position)
                isWanted = isKey(bytes[position..<min(end, bytes.count)], element)
                // The colon.
                position = skippingSpace(from: skippingSpace(from: end) + 1)
            }
            if isWanted { return position }
            position = skippingSpace(from: skippingValue(from: position))
            // The comma, or the end.
            if byte(position) == UInt8(ascii: ",") { position = skippingSpace(from: position + 1) }
            index += 1
        }
        return nil
    }

    /// Whether a text with its quotation marks is a key.
    private func isKey(_ text: ArraySlice<UInt8>, _ element: PayloadError.PathElement) -> Bool {
        guard case .key(let key) = element else { return false }
        // Few keys have escapes, and these are longer than what they stand for.
        guard text.contains(UInt8(ascii: "\\")) else { return text.dropFirst().dropLast().elementsEqual(key.utf8) }
        return (try? Payload(json: Array(text)).string()) == key
    }

    private func byte(_ position: Int) -> UInt8? { bytes.indices.contains(position) ? bytes[position] : nil }

    private func skippingSpace(from position: Int) -> Int {
        var position = position
        while let byte = byte(position), [0x20, 0x0A, 0x0D, 0x09].contains(byte) { position += 1 }
        return position
    }

    /// Returns the position after a value: a text, an array or object, or a number or word.
    private func skippingValue(from start: Int) -> Int {
        var position = start
        var depth = 0
        while let byte = byte(position) {
            switch byte {
            case UInt8(ascii: "\""): position = skippingText(from: position) - 1
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return position }
                depth -= 1
            case UInt8(ascii: ","), UInt8(ascii: ":"): if depth == 0 { return position }
            default: break
            }
            position += 1
            let isText = byte == UInt8(ascii: "\"")
            let isEnd = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
            if depth == 0, isText || isEnd { return position }
        }
        return position
    }

    private func skippingText(from start: Int) -> Int {
        var position = start + 1
        while let byte = byte(position), byte != UInt8(ascii: "\"") {
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        return position + 1
    }
}
