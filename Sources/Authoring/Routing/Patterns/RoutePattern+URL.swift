import SystemSupport

extension RoutePattern {
    /// Makes a URL from values for the placeholders by name. Values without a placeholder become items of the query,
    /// in alphabetical order; a list becomes several.
    ///
    /// Of a pattern with optional groups, the longest one whose placeholders all have values is used. A pattern without a
    /// scheme makes a URL without one. The query of a pattern comes before other items.
    ///
    /// - Parameter parameters: the values, not encoded.
    /// - Throws: `RouteURLParameterError` if a placeholder has no value or an empty one, or a value that is not of its
    ///   type.
    public func url(_ parameters: [String: RouteValue]) throws(RouteURLParameterError) -> String {
        try url(parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }) { $0 == $1 }
    }

    /// Makes a URL in the same way, from names that are told apart by their bytes, as those of a URL are. What is no
    /// placeholder's keeps its order.
    package func url(
        named parameters: [(name: String, value: RouteValue)]
    ) throws(RouteURLParameterError) -> String {
        try url(parameters) { $0.isExactly($1) }
    }

    private func url(
        _ parameters: [(name: String, value: RouteValue)], isSame: (String, String) -> Bool
    ) throws(RouteURLParameterError) -> String {
        func value(of name: String) -> RouteValue? { parameters.first { isSame($0.name, name) }?.value }
        let named = variants.first { variant in
            variant.required.allSatisfy { value(of: $0) != nil }
        }
        guard let variant = named else {
            let missing = variants[variants.count - 1].required.first { value(of: $0) == nil }
            throw RouteURLParameterError(parameter: missing ?? "", reason: .missing)
        }
        let used = variant.elements.compactMap { $0.placeholder?.name } + variant.query.map(\.name)
        let own = variant.query.compactMap { item in value(of: item.name).map { (name: item.item, value: $0) } }
        let query = (own + parameters.filter { parameter in !used.contains { isSame($0, parameter.name) } })
            .flatMap { name, value in value.texts.map { "\(name.percentEncodedForURL)=\($0.percentEncodedForURL)" } }
        let path = try variant.url { name throws(RouteURLParameterError) in value(of: name) }
        return query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
    }

    /// Makes a URL from values for the placeholders in their order.
    ///
    /// - Throws: `RouteURLParameterError` as ``url(_:)``, also if there are too few values or too many.
    public func url(values: [String]) throws(RouteURLParameterError) -> String {
        guard let variant = variants.first(where: { $0.placeholderCount == values.count }) else {
            throw RouteURLParameterError(
                parameter: "", reason: .count(values.count, expected: variants[0].placeholderCount))
        }
        var next = values.startIndex
        let path = try variant.url { _ throws(RouteURLParameterError) in
            defer { next += 1 }
            return .text(values[next])
        }
        guard !variant.query.isEmpty else { return path }
        let query = zip(variant.query, values[next...]).map { item, value in
            "\(item.item.percentEncodedForURL)=\(value.percentEncodedForURL)"
        }
        return "\(path)?\(query.joined(separator: "&"))"
    }
}

/// The reason why a URL cannot be made from a pattern.
public struct RouteURLParameterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with a value.
    public enum Reason: Hashable, Sendable {
        /// There is none.
        case missing
        /// It is empty. A component of a path never is.
        case empty
        /// The text is not a value of the placeholder's type.
        case notOfType(ValueType, String)
        /// It is a list. A placeholder stands for one value.
        case list
        /// There are more or fewer values without names than placeholders.
        case count(Int, expected: Int)
    }

    /// The name of the placeholder; empty if the reason is the number of values.
    public let parameter: String
    /// What is wrong with its value.
    public let reason: Reason

    /// The reason as a sentence.
    public var description: String {
        switch reason {
        case .missing: "the URL needs a value for \"\(parameter)\""
        case .empty: "the value for \"\(parameter)\" is empty, which a path cannot contain"
        case .notOfType(let type, let text): "the value for \"\(parameter)\": \(type.objection(to: text))"
        case .list: "the value for \"\(parameter)\" is a list, and the pattern has room for one value"
        case .count(let count, let expected):
            "the pattern has \(expected) \(expected == 1 ? "placeholder" : "placeholders"), and there "
                + (count == 1 ? "is 1 value" : "are \(count) values")
        }
    }
}

extension PatternVariant {
    /// The names of the placeholders that a URL needs a value for.
    fileprivate var required: [String] {
        elements.compactMap(\.placeholder).filter { !$0.canBeEmpty }.map(\.name) + query.map(\.name)
    }

    /// The number of placeholders of the path and the query.
    fileprivate var placeholderCount: Int { elements.count { $0.placeholder != nil } + query.count }

    /// Makes the part of a URL before the query.
    fileprivate func url(
        _ value: (_ placeholder: String) throws(RouteURLParameterError) -> RouteValue?
    ) throws(RouteURLParameterError) -> String {
        var components: [String] = []
        var fragment: Int?
        for (index, element) in elements.enumerated() {
            let part = index == 0 && beginsWithHost ? URLPart.host : .component
            switch element {
            case .literal(let bytes): components.append(bytes.percentEncoded(as: part))
            case .fragment: fragment = components.count
            case .placeholder(let name, let type, let suffix):
                let text = try Self.text(try value(name), name, type: type)
                components.append(text.percentEncodedForURL + suffix.percentEncoded(as: part))
            case .rest(let name, let isPath):
                components += try Self.components(try value(name), name, isPath: isPath).map(\.percentEncodedForURL)
            }
        }
        let path = components[..<(fragment ?? components.count)].joined(separator: "/")
        let start =
            switch scheme {
            case nil: "/"
            case let scheme? where beginsWithHost: "\(scheme)://"
            case let scheme?: "\(scheme):/"
            }
        guard let fragment else { return start + path }
        return "\(start)\(path)#/\(components[fragment...].joined(separator: "/"))"
    }

    private static func text(
        _ value: RouteValue?, _ name: String, type: ValueType?
    ) throws(RouteURLParameterError) -> String {
        guard let value else { throw RouteURLParameterError(parameter: name, reason: .missing) }
        let texts = value.texts
        guard texts.count == 1 else { throw RouteURLParameterError(parameter: name, reason: .list) }
        guard !texts[0].isEmpty else { throw RouteURLParameterError(parameter: name, reason: .empty) }
        if let type, type.isBuiltIn, type.value(of: texts[0]) == nil {
            throw RouteURLParameterError(parameter: name, reason: .notOfType(type, texts[0]))
        }
        return texts[0]
    }

    private static func components(
        _ value: RouteValue?, _ name: String, isPath: Bool
    ) throws(RouteURLParameterError) -> [String] {
        var components = value?.texts ?? []
        if isPath {
            components = components.flatMap { $0.exactParts(between: "/") }
            if components.isEmpty { throw RouteURLParameterError(parameter: name, reason: .missing) }
        }
        if components.contains("") { throw RouteURLParameterError(parameter: name, reason: .empty) }
        return components
    }
}

extension ValueType {
    fileprivate var isBuiltIn: Bool {
        if case .custom = self { false } else { true }
    }
}

extension RouteValue {
    /// The value as it is written in a URL, before it is encoded; several for a list.
    public var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .integer(let number): [String(number)]
        case .unsigned(let number): [String(number)]
        case .float(let number): [String(number)]
        case .boolean(let boolean): [String(boolean)]
        case .list(let list): list
        }
    }
}
