public import Foundation

/// A value of JSON, as it is written.
public indirect enum JSONTree: Decodable, Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSONTree])
    case object([String: JSONTree])

    /// - Throws: an error if the text is not JSON.
    public init(_ json: String) throws { try self.init(Data(json.utf8)) }

    /// - Throws: an error if the bytes are not JSON.
    public init(_ json: Data) throws { self = try JSONDecoder().decode(JSONTree.self, from: json) }

    /// Reads any value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONTree].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    /// The member of an object; nil if there is none.
    public subscript(_ key: String) -> JSONTree? {
        if case .object(let members) = self { members[key] } else { nil }
    }
}

/// Compares values with a schema of JSON Schema 2020-12, as far as HSLink writes them.
public struct SchemaCheck {
    /// What a schema has that is not known here, or leads nowhere.
    struct Unknown: Error {
        let keyword: String
    }

    private let schema: JSONTree
    private let root: JSONTree

    private static let annotations: Set = ["format", "contentEncoding", "description", "title", "default"]

    /// - Parameter root: the document in which references lead; the schema itself if nil.
    public init(_ schema: JSONTree, in root: JSONTree? = nil) {
        self.schema = schema
        self.root = root ?? schema
    }

    /// - Throws: an error if the schema has a keyword that is not known here, or a reference that leads nowhere.
    public func accepts(_ value: JSONTree) throws -> Bool { try accepts(value, schema) }

    private func accepts(_ value: JSONTree, _ schema: JSONTree) throws -> Bool {
        guard case .object(let keywords) = schema else {
            if case .bool(let isAllowed) = schema { return isAllowed }
            throw Unknown(keyword: "\(schema)")
        }
        for (keyword, content) in keywords where !SchemaCheck.annotations.contains(keyword) {
            guard try accepts(value, keyword, content: content, among: keywords) else { return false }
        }
        return true
    }

    private func accepts(
        _ value: JSONTree, _ keyword: String, content: JSONTree, among keywords: [String: JSONTree]
    ) throws -> Bool {
        switch (keyword, content, value) {
        case ("$ref", .text(let reference), _): return try accepts(value, target(of: reference))
        case ("anyOf", .list(let schemas), _): return try schemas.contains { try accepts(value, $0) }
        case ("enum", .list(let values), _): return values.contains(value)
        case ("type", .text(let name), _): return try value.isOfType(name)
        case ("minimum", .number(let least), .number(let number)): return number >= least
        case ("maximum", .number(let most), .number(let number)): return number <= most
        case ("items", _, .list(let items)): return try items.allSatisfy { try accepts($0, content) }
        case ("required", .list(let names), .object(let members)):
            return names.allSatisfy { name in members.keys.contains { .text($0) == name } }
        case ("properties", .object(let schemas), .object(let members)):
            return try schemas.allSatisfy { name, schema in try members[name].map { try accepts($0, schema) } ?? true }
        case ("patternProperties", .object(let schemas), .object(let members)):
            return try schemas.allSatisfy { pattern, schema in
                let regex = try Regex(pattern)
                return try members.allSatisfy { name, member in
                    try name.firstMatch(of: regex) == nil || accepts(member, schema)
                }
            }
        case ("additionalProperties", _, .object(let members)):
            let patterns = try keywords["patternProperties"].map { try $0.names.map { try Regex($0) } } ?? []
            let known = keywords["properties"]?.names ?? []
            return try members.allSatisfy { name, member in
                try known.contains(name) || patterns.contains { name.firstMatch(of: $0) != nil }
                    || accepts(member, content)
            }
        case ("minimum", _, _), ("maximum", _, _), ("items", _, _), ("required", _, _), ("properties", _, _),
            ("patternProperties", _, _), ("additionalProperties", _, _):
            return true
        default: throw Unknown(keyword: keyword)
        }
    }

    /// Returns what a reference within the document leads to.
    private func target(of reference: String) throws -> JSONTree {
        guard reference.hasPrefix("#/") else { throw Unknown(keyword: reference) }
        var place = root
        for part in reference.dropFirst(2).split(separator: "/") {
            guard let next = place[String(part)] else { throw Unknown(keyword: reference) }
            place = next
        }
        return place
    }
}

extension JSONTree {
    /// The names of the members of an object.
    fileprivate var names: [String] {
        if case .object(let members) = self { Array(members.keys) } else { [] }
    }

    fileprivate func isOfType(_ name: String) throws -> Bool {
        switch (name, self) {
        case ("null", .null), ("boolean", .bool), ("number", .number), ("string", .text), ("array", .list),
            ("object", .object):
            true
        case ("integer", .number(let number)): number.rounded() == number
        case ("null", _), ("boolean", _), ("number", _), ("string", _), ("array", _), ("object", _), ("integer", _):
            false
        default: throw SchemaCheck.Unknown(keyword: "type: \(name)")
        }
    }
}
