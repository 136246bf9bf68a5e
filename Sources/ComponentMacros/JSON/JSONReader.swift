/// A strict reader of JSON (RFC 8259) that knows where everything stands.
///
/// Beyond the grammar it refuses keys that come twice, surrogates without their other half, and nesting deeper than
/// 64, since hosts refuse them too. While it reads it collects the text without its insignificant whitespace.
struct JSONReader {
    static let maximumDepth = 64

    let bytes: [UInt8]
    var offset = 0
    private(set) var minified: [UInt8] = []
    private var depth = 0

    /// The value of a whole text, and the text without whitespace outside of strings.
    static func read(_ bytes: [UInt8]) throws(JSONError) -> (value: JSONValue, minified: [UInt8]) {
        var reader = JSONReader(bytes: bytes)
        let value = try reader.value()
        reader.skipWhitespace()
        guard reader.offset == bytes.count else { throw reader.unexpected(expected: "the end of the text") }
        return (value, reader.minified)
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        minified.reserveCapacity(bytes.count)
    }

    private mutating func value() throws(JSONError) -> JSONValue {
        skipWhitespace()
        let start = offset
        let content: JSONValue.Content
        switch peek {
        case UInt8(ascii: "{"): content = .object(try object())
        case UInt8(ascii: "["): content = .array(try array())
        case UInt8(ascii: "\""): content = .string(try string())
        case UInt8(ascii: "-"), (UInt8(ascii: "0")...UInt8(ascii: "9"))?: content = try number()
        default: content = try word()
        }
        return JSONValue(content: content, start: start)
    }

    private mutating func object() throws(JSONError) -> JSONObject {
        let start = offset
        var members: [JSONObject.Member] = []
        var keys: Set<String> = []
        try enter()
        skipWhitespace()
        while peek != UInt8(ascii: "}") {
            let keyStart = offset
            guard peek == UInt8(ascii: "\"") else { throw unexpected(expected: "a key in double quotes") }
            let key = try string()
            guard keys.insert(key).inserted else {
                throw JSONError(message: "the key \(key.quoted) comes twice: remove one", offset: keyStart)
            }
            skipWhitespace()
            guard peek == UInt8(ascii: ":") else { throw unexpected(expected: "\":\" after the key \(key.quoted)") }
            take()
            members.append(JSONObject.Member(key: key, keyStart: keyStart, value: try value()))
            skipWhitespace()
            if peek != UInt8(ascii: "}") { try comma(before: "}") }
        }
        leave()
        return JSONObject(members: members, start: start)
    }

    private mutating func array() throws(JSONError) -> [JSONValue] {
        var items: [JSONValue] = []
        try enter()
        skipWhitespace()
        while peek != UInt8(ascii: "]") {
            items.append(try value())
            skipWhitespace()
            if peek != UInt8(ascii: "]") { try comma(before: "]") }
        }
        leave()
        return items
    }

    /// Takes the comma and the whitespace before a further item of what `bracket` closes.
    private mutating func comma(before bracket: Character) throws(JSONError) {
        guard peek == UInt8(ascii: ",") else { throw unexpected(expected: "\",\" or \"\(bracket)\"") }
        let start = offset
        take()
        skipWhitespace()
        guard peek != bracket.asciiValue else {
            throw JSONError(message: "a comma with nothing after it: remove it", offset: start)
        }
    }

    private mutating func word() throws(JSONError) -> JSONValue.Content {
        let words: [(String, JSONValue.Content)] = [("true", .bool(true)), ("false", .bool(false)), ("null", .null)]
        for (word, content) in words where bytes[offset...].starts(with: word.utf8) {
            take(word.utf8.count)
            return content
        }
        throw unexpected(expected: "a value")
    }

    /// Takes the opening bracket of an object or array.
    private mutating func enter() throws(JSONError) {
        guard depth < Self.maximumDepth else {
            throw JSONError(message: "nested deeper than \(Self.maximumDepth) levels", offset: offset)
        }
        depth += 1
        take()
    }

    /// Takes the closing bracket.
    private mutating func leave() {
        depth -= 1
        take()
    }

    private mutating func skipWhitespace() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
    }
}

extension JSONReader {
    /// The next byte; nil at the end.
    var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    /// Moves over `count` bytes that belong to the minified text.
    mutating func take(_ count: Int = 1) {
        minified.append(contentsOf: bytes[offset..<offset + count])
        offset += count
    }

    /// What was expected at the present place, and what is there.
    func unexpected(expected: String) -> JSONError {
        let rest = String(decoding: bytes[offset...].prefix(64), as: UTF8.self)
        let found = rest.first.map { $0 == "\"" ? "a double quote" : String($0).quoted } ?? "the end of the text"
        return JSONError(message: "expected \(expected), found \(found)", offset: offset)
    }
}
