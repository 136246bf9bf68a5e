import ComponentKit

/// A JSON object assembled as text. A payload would exceed the nesting limit if a value in it already reached it.
struct JSONObject {
    private var members: [String] = []

    /// The object on one line.
    var text: String { "{" + members.joined(separator: ",") + "}" }

    /// Sets a value.
    ///
    /// - Throws: a `PayloadError` if JSON cannot represent the value.
    mutating func set(_ key: String, _ value: Payload) throws(PayloadError) {
        set(key, json: try value.json())
    }

    /// Sets a text, or null for nil.
    mutating func set(_ key: String, _ value: String?) throws(PayloadError) {
        try set(key, value.map { Payload($0) } ?? .null)
    }

    /// Sets an array of texts.
    mutating func set(_ key: String, _ values: [String]) throws(PayloadError) {
        try set(key, Payload(values.map { Payload($0) }))
    }

    mutating func set(_ key: String, _ object: JSONObject) { set(key, json: object.text) }

    mutating func set(_ key: String, _ objects: [JSONObject]) {
        set(key, json: "[" + objects.map(\.text).joined(separator: ",") + "]")
    }

    /// Sets a value that is already JSON.
    ///
    /// - Parameters:
    ///   - key: a key without characters that JSON escapes.
    ///   - json: the JSON text of the value.
    mutating func set(_ key: String, json: String) { members.append("\"\(key)\":\(json)") }
}

extension String {
    /// The JSON text, with escapes for invisible characters that change the display order in a terminal and could make
    /// a component's value look like a different one. They occur only inside JSON strings, where the escape is
    /// equivalent.
    var escapedInJSON: String {
        guard utf8.contains(where: { $0 >= 0x80 }), unicodeScalars.contains(where: \.reorders) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.reorders {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether this is a mark, embedding, override or isolate of the bidirectional algorithm, or one of the deprecated
    /// format characters U+206A to U+206F. None of them is above U+FFFF.
    fileprivate var reorders: Bool { properties.isBidiControl || (0x206A...0x206F).contains(value) }
}
