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

    mutating func set(_ key: String, _ object: JSONObject) { set(key, json: object.text) }

    /// Sets a value that is already JSON.
    ///
    /// - Parameters:
    ///   - key: a key without characters that JSON escapes.
    ///   - json: the JSON text of the value.
    mutating func set(_ key: String, json: String) { members.append("\"\(key)\":\(json)") }
}
