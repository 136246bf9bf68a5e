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
