import Testing

@testable import Routing

/// A case of the file, whose keys are the properties.
struct RouterCase: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let dialect: String
    let patterns: [RouterPattern]
    /// Nil for a call with a null pointer in place of a URL.
    let url: String?
    let matched: Bool
    let params: [String: CaseValue]?
    let paramsPartial: Bool
    let matchedPattern: String?
    let matchedTag: String?
    let matchedScheme: String?
    let wildcard: [String]?
    let userInfo: [String: CaseValue]?
    let steps: [Step]
    let expandedCount: Int?
    let values: [String]?
    let expectedUrl: String?
    let target: String?
    let action: String?
    let object: CaseValue?
    let op: String
    /// What differs from the options of the dialect.
    let options: [String: CaseValue]
    /// The types of values that the case adds, by their names.
    let converters: [String: ConverterTable]

    private enum Keys: String, CodingKey, CaseIterable {
        // What is about the case.
        case id, source, origin, note, must
        case peerActual = "peer_actual"
        // What is done, and with what.
        case dialect, op, options, converters, patterns, steps, url, values
        case userInfo = "user_info"
        // What is expected.
        case matched, params, wildcard, target, action, object
        case paramsPartial = "params_partial"
        case matchedPattern = "matched_pattern"
        case matchedTag = "matched_tag"
        case matchedScheme = "matched_scheme"
        case expandedCount = "expanded_count"
        case expectedUrl = "expected_url"
    }

    init(from decoder: any Decoder) throws {
        try decoder.refuseOthers(than: Keys.self)
        let container = try decoder.container(keyedBy: Keys.self)
        id = try container.decode(String.self, forKey: .id)
        dialect = try container.decode(String.self, forKey: .dialect)
        patterns = try container.decodeIfPresent([RouterPattern].self, forKey: .patterns) ?? []
        url = try container.decodeIfPresent(String.self, forKey: .url)
        matched = try container.decode(Bool.self, forKey: .matched)
        params = try container.decodeIfPresent([String: CaseValue].self, forKey: .params)
        paramsPartial = try container.decodeIfPresent(Bool.self, forKey: .paramsPartial) ?? false
        matchedPattern = try container.decodeIfPresent(String.self, forKey: .matchedPattern)
        matchedTag = try container.decodeIfPresent(String.self, forKey: .matchedTag)
        matchedScheme = try container.decodeIfPresent(String.self, forKey: .matchedScheme)
        wildcard = try container.decodeIfPresent([String].self, forKey: .wildcard)
        userInfo = try container.decodeIfPresent([String: CaseValue].self, forKey: .userInfo)
        steps = try container.decodeIfPresent([Step].self, forKey: .steps) ?? []
        expandedCount = try container.decodeIfPresent(Int.self, forKey: .expandedCount)
        values = try container.decodeIfPresent([String].self, forKey: .values)
        expectedUrl = try container.decodeIfPresent(String.self, forKey: .expectedUrl)
        target = try container.decodeIfPresent(String.self, forKey: .target)
        action = try container.decodeIfPresent(String.self, forKey: .action)
        object = try container.decodeIfPresent(CaseValue.self, forKey: .object)
        op = try container.decodeIfPresent(String.self, forKey: .op) ?? "open"
        let own = try container.decodeIfPresent([String: ConverterTable].self, forKey: .converters) ?? [:]
        guard container.contains(.options), try !container.decodeNil(forKey: .options) else {
            (options, converters) = ([:], own)
            return
        }
        // Among the options too, where they are the only ones with a value of another form.
        let given = try container.nestedContainer(keyedBy: AnyKey.self, forKey: .options)
        let name = AnyKey("converters")
        converters = own.merging(
            try given.decodeIfPresent([String: ConverterTable].self, forKey: name) ?? [:]
        ) { $1 }
        options = Dictionary(
            uniqueKeysWithValues: try given.allKeys.filter { $0.stringValue != name.stringValue }
                .map { ($0.stringValue, try given.decode(CaseValue.self, forKey: $0)) })
    }

    var testDescription: String { id }

    struct Step: Decodable, Sendable {
        let remove: String?
        let scheme: String?
        let unregisterScheme: String?

        private enum Keys: String, CodingKey, CaseIterable {
            case remove, scheme
            case unregisterScheme = "unregister_scheme"
        }

        init(from decoder: any Decoder) throws {
            try decoder.refuseOthers(than: Keys.self)
            let container = try decoder.container(keyedBy: Keys.self)
            remove = try container.decodeIfPresent(String.self, forKey: .remove)
            scheme = try container.decodeIfPresent(String.self, forKey: .scheme)
            unregisterScheme = try container.decodeIfPresent(String.self, forKey: .unregisterScheme)
        }
    }
}

/// A pattern of a case: its text, or its text with what belongs to it.
struct RouterPattern: Decodable, Sendable {
    let text: String
    var scheme: String?
    var tag: String?
    /// The only sources that the pattern is valid for; nil for all of the table.
    var only: [String]?
    var handlerReturns: CaseValue?
    var priority = 0

    private enum Keys: String, CodingKey, CaseIterable {
        case pattern, scheme, tag, only, priority
        case handlerReturns = "handler_returns"
    }

    init(text: String, scheme: String?) { (self.text, self.scheme) = (text, scheme) }

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self.init(text: text, scheme: nil)
            return
        }
        try decoder.refuseOthers(than: Keys.self)
        let container = try decoder.container(keyedBy: Keys.self)
        self.init(
            text: try container.decode(String.self, forKey: .pattern),
            scheme: try container.decodeIfPresent(String.self, forKey: .scheme))
        tag = try container.decodeIfPresent(String.self, forKey: .tag)
        priority = try container.decodeIfPresent(Int.self, forKey: .priority) ?? 0
        handlerReturns = try container.decodeIfPresent(CaseValue.self, forKey: .handlerReturns)
        only = try container.decodeIfPresent(CaseValue.self, forKey: .only).map { try $0.texts() }
    }

    /// Parses the pattern: once, or once for each of the sources that it is valid for, because a route that is valid for
    /// some of the sources is written with them. A pattern whose scheme is given apart has no host of its own.
    func parse(_ options: RoutingOptions) throws -> [RoutePattern] {
        let path = text.hasPrefix("/") ? String(text.dropFirst()) : text
        if let scheme {
            return [try RoutePattern("\(scheme):/\(path)", syntax: options.syntax)]
        }
        guard let only else { return [try RoutePattern(text, syntax: options.syntax)] }
        return try only.map { source in
            guard let source = URLSource(source) else { throw CaseError("\"\(source)\" is no source of URLs") }
            let beginning = source.host.map { "\(source.scheme)://\($0)/" } ?? "\(source.scheme):/"
            return try RoutePattern(beginning + path, syntax: options.syntax)
        }
    }

    /// Whether the handler of the case wants another to be tried.
    func declines(_ parameters: [String: RouteValue]) throws -> Bool {
        switch handlerReturns?.value {
        case nil, .boolean(true): return false
        case .boolean(false): return true
        case .text(let text) where text.hasSuffix("is an integer"):
            guard let name = text.split(separator: " ").dropLast(3).last,
                case .text(let value)? = parameters[String(name)]
            else { return true }
            return Int(value) == nil
        case let other?: throw CaseError("unknown behaviour of a handler: \(other)")
        }
    }
}

/// A value of a case, as a route delivers it.
struct CaseValue: Decodable, Sendable {
    let value: RouteValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let list = try? container.decode([String].self) {
            value = .list(list)
        } else if let text = try? container.decode(String.self) {
            value = .text(text)
        } else if let boolean = try? container.decode(Bool.self) {
            value = .boolean(boolean)
        } else if let integer = try? container.decode(Int64.self) {
            value = .integer(integer)
        } else {
            value = .float(try container.decode(Double.self))
        }
    }

    /// Returns the texts of a list, or of one text.
    func texts() throws -> [String] {
        switch value {
        case .list(let texts): texts
        case .text(let text): [text]
        default: throw CaseError("expected a list of strings, found \(value)")
        }
    }
}

/// A type of values as a table: the texts that it takes, and their values. A list has texts that are their own values.
struct ConverterTable: Decodable, Sendable {
    let values: [String: CaseValue]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let table = try? container.decode([String: CaseValue].self) {
            values = table
        } else {
            let list = try container.decode([CaseValue].self)
            values = Dictionary(try list.flatMap { value in try value.texts().map { ($0, value) } }) { $1 }
        }
    }

    /// Returns the value of a text; nil for one that is not in the table.
    @Sendable func convert(_ text: String) -> RouteValue? { values[text]?.value }
}

/// What is wrong with a case.
struct CaseError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Any key of an object.
private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// Refuses an object with keys that would be overlooked.
    fileprivate func refuseOthers<Key: CodingKey & CaseIterable>(than keys: Key.Type) throws {
        let known = Set(Key.allCases.map(\.stringValue))
        let found = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        let unknown = found.filter { !known.contains($0) }.sorted()
        guard unknown.isEmpty else { throw CaseError("unknown keys: \(unknown.joined(separator: ", "))") }
    }
}
