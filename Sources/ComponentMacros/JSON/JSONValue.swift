/// A value of a JSON text (RFC 8259) and where it begins.
struct JSONValue {
    /// What a value is. Numbers are checked, but kept as text: no manifest key that the macro reads is a number.
    enum Content {
        case null
        case bool(Bool)
        case number
        case string(String)
        case array([JSONValue])
        case object(JSONObject)
    }

    let content: Content
    /// The offset of the value's first byte in the text.
    let start: Int

    /// What the value is, in words that follow "found".
    var kind: String {
        switch content {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// The members of a JSON object in the order of the text. Keys are unique.
struct JSONObject {
    struct Member {
        let key: String
        let keyStart: Int
        let value: JSONValue
    }

    let members: [Member]
    /// The offset of the opening brace.
    let start: Int

    subscript(key: String) -> JSONValue? {
        members.first { $0.key == key }?.value
    }
}
