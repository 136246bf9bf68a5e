import Foundation

/// Writes HTML.
///
/// Markup comes from literals only. Everything else is escaped, so no text of a component or a person can become
/// markup. What could make a text look like a different one is made visible: control characters, and the embeddings,
/// overrides and isolates of the bidirectional algorithm, become U+FFFD.
struct HTMLWriter: Sendable {
    private(set) var bytes: [UInt8] = []
    private(set) var marks: [Int] = []

    init(capacity: Int = 4096) { bytes.reserveCapacity(capacity) }

    /// What has been written.
    var rendered: Rendered { Rendered(bytes: bytes, marks: marks) }

    /// Writes markup.
    mutating func markup(_ markup: StaticString) {
        markup.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Writes text between tags.
    mutating func text(_ text: String) { write(text, .shown) }

    /// Writes text in a field, which comes back as it is.
    mutating func exactText(_ text: String) { write(text, .exact) }

    /// Writes a number.
    mutating func number(_ number: Int) { bytes.append(contentsOf: "\(number)".utf8) }

    /// Writes an attribute that people read or hear, such as a title.
    mutating func attribute(_ name: StaticString, _ value: String) {
        begin(name)
        write(value, .shown)
        markup("\"")
    }

    /// Writes an attribute that comes back as it is, such as the value of a field. A browser shows it apart from other
    /// texts, so it keeps the characters that change the writing direction.
    mutating func attribute(_ name: StaticString, exact value: String) {
        begin(name)
        write(value, .exact)
        markup("\"")
    }

    /// Writes an attribute with a number.
    mutating func attribute(_ name: StaticString, _ value: Int) {
        begin(name)
        number(value)
        markup("\"")
    }

    /// Writes an attribute with a URL.
    mutating func attribute(_ name: StaticString, _ url: WebURL) {
        begin(name)
        write(url.text, .shown)
        markup("\"")
    }

    /// Writes an attribute with JSON. Characters that ``text(_:)`` would replace are escaped as JSON does, so that the
    /// value comes back the same.
    mutating func attribute(_ name: StaticString, json: String) {
        begin(name)
        write(json, .json)
        markup("\"")
    }

    /// Writes an attribute with an identifier made of a prefix and names: letters, digits, `_`, `.` and `-` are kept.
    mutating func attribute(_ name: StaticString, id prefix: StaticString, _ names: [String]) {
        begin(name)
        identifier(prefix, names)
        markup("\"")
    }

    /// Writes an identifier in an attribute.
    mutating func identifier(_ prefix: StaticString, _ names: [String]) {
        markup(prefix)
        for (index, name) in names.enumerated() {
            if index > 0 { markup("-") }
            for byte in name.utf8 {
                if byte.isLetterOrDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") {
                    bytes.append(byte)
                } else {
                    // A dash separates the names.
                    markup("~")
                    hex(byte)
                }
            }
        }
    }

    /// Writes an attribute with a picture itself.
    mutating func attribute(_ name: StaticString, picture: [UInt8], type: StaticString) {
        begin(name)
        markup("data:")
        markup(type)
        markup(";base64,")
        bytes.append(contentsOf: Data(picture).base64EncodedData())
        markup("\"")
    }

    /// Adds what another writer has written.
    mutating func append(_ other: HTMLWriter) {
        marks.append(contentsOf: other.marks.map { $0 + bytes.count })
        bytes.append(contentsOf: other.bytes)
    }

    /// Writes the hidden field with the token of the session, whose value is not known yet.
    mutating func tokenField() {
        markup(#"<input type="hidden" name="token" value=""#)
        marks.append(bytes.count)
        bytes.append(Rendered.tokenMark)
        markup("\">")
    }

    private mutating func begin(_ name: StaticString) {
        markup(" ")
        markup(name)
        markup("=\"")
    }

    private mutating func hex(_ byte: UInt8) {
        func append(_ digit: UInt8) {
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
        append(byte >> 4)
        append(byte & 15)
    }
}

// MARK: - Escaping

extension HTMLWriter {
    private enum Purpose { case shown, exact, json }

    private mutating func write(_ text: String, _ purpose: Purpose) {
        // Most texts need no escape.
        if text.utf8.allSatisfy(\.isPlain) {
            bytes.append(contentsOf: text.utf8)
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": markup("&amp;")
            case "<": markup("&lt;")
            case ">": markup("&gt;")
            case "\"": markup("&quot;")
            case "'": markup("&#39;")
            case "\n" where purpose != .json, "\t" where purpose != .json:
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            case "\u{2028}" where purpose != .json: markup("&#x2028;")
            case "\u{2029}" where purpose != .json: markup("&#x2029;")
            default:
                if scalar.isPlain || (purpose == .exact && scalar.reorders) {
                    bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                } else if purpose == .json {
                    for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                        markup(#"\u"#)
                        hex(UInt8(unit >> 8))
                        hex(UInt8(unit & 0xFF))
                    }
                } else {
                    markup("\u{FFFD}")
                }
            }
        }
    }
}

extension UInt8 {
    /// Whether the byte is that of an ASCII character that needs no escape in text or an attribute.
    fileprivate var isPlain: Bool {
        switch self {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
        case 0x20..<0x7F: true
        default: false
        }
    }

    var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character means nothing but itself: it is neither a control character, a separator of lines, one of
    /// those that change the writing direction of others, nor a noncharacter.
    fileprivate var isPlain: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x206F, 0xFDD0...0xFDEF: false
        default: value & 0xFFFE != 0xFFFE
        }
    }

    /// Whether the character begins or ends an embedding, override or isolate of the bidirectional algorithm.
    fileprivate var reorders: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }
}
