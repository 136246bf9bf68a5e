import ComponentKit

/// A JSON object that is put together as text, so that a value as deep as a payload may be fits into it.
struct JSONObject {
    private var members: [String] = []

    /// The object on one line.
    var text: String { "{" + members.joined(separator: ",") + "}" }

    /// - Throws: when JSON cannot hold the value.
    mutating func set(_ key: String, _ value: Payload) throws(PayloadError) {
        set(key, json: try value.json())
    }

    /// Text, or null.
    mutating func set(_ key: String, _ value: String?) throws(PayloadError) {
        try set(key, value.map { Payload($0) } ?? .null)
    }

    /// A list of texts.
    mutating func set(_ key: String, _ values: [String]) throws(PayloadError) {
        try set(key, Payload(values.map { Payload($0) }))
    }

    mutating func set(_ key: String, _ object: JSONObject) { set(key, json: object.text) }

    mutating func set(_ key: String, _ objects: [JSONObject]) {
        set(key, json: "[" + objects.map(\.text).joined(separator: ",") + "]")
    }

    /// - Parameters:
    ///   - key: without anything that JSON escapes.
    ///   - json: any value.
    mutating func set(_ key: String, json: String) { members.append("\"\(key)\":\(json)") }
}

extension String {
    /// JSON with the characters escaped that nobody sees and that change the order in which a terminal shows others:
    /// the value of a component could look like another one. They stand in strings only, where the escape means the
    /// same.
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
    /// Marks, embeddings, overrides and isolates of the bidirectional algorithm, and the deprecated format characters
    /// U+206A to U+206F; none is beyond U+FFFF.
    fileprivate var reorders: Bool { properties.isBidiControl || (0x206A...0x206F).contains(value) }
}
