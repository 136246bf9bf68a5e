package import ComponentKit
import ManifestRules
package import Routing
import SystemSupport

/// A parameter of a selector, as strings of a URL become its value. A class, because each URL reads the same ones.
package final class RouteParameter: Sendable {
    package let name: String
    /// Whether it has neither a default nor is optional.
    package let isRequired: Bool
    /// What a problem with its value begins with.
    private let place: String
    private let type: RouteParameterType
    /// The strings of an enum's values, which travel as strings; nil if any string is accepted.
    private let choice: [String]?
    /// What one string becomes.
    private let element: RouteParameterType.Element

    /// - Parameters:
    ///   - models: the models that the component's file describes, to find the raw type of an enum.
    ///   - place: what a problem with its value begins with; nil for a parameter of a URL.
    package init(
        _ declaration: SelectorDeclaration.Parameter, models: [ModelDeclaration], place: String? = nil
    ) {
        name = declaration.name
        self.place = place ?? "the parameter \"\(declaration.name)\" of the URL"
        type = RouteParameterType(declaration.type)
        isRequired = !type.isOptional && !type.hasDefault
        guard case .other(let name) = type.element else {
            (element, choice) = (type.element, nil)
            return
        }
        (element, choice) = Self.values(of: name, models) ?? (type.element, nil)
    }

    /// Returns what strings become for a type with cases; nil if no such model is known.
    private static func values(
        of type: String, _ models: [ModelDeclaration]
    ) -> (RouteParameterType.Element, choice: [String]?)? {
        // A nested type is written without the type around it, inside that type.
        let nested = models.filter { $0.name.hasSuffix("." + type) }
        let model = models.first { $0.name.isExactly(type) } ?? (nested.count == 1 ? nested[0] : nil)
        guard case .cases(let cases, let raw)? = model?.content else { return nil }
        if let raw {
            let element = RouteParameterType.Element(raw)
            if case .other = element {} else { return (element, nil) }
        }
        let values = cases.compactMap { raw == nil ? ($0.values.isEmpty ? $0.name : nil) : $0.rawValue }
        return (.other(type), values.isEmpty ? nil : values)
    }

    /// The type of a placeholder in a pattern that has none: what a string must be to match at all.
    package var placeholderType: ValueType? {
        type.isArray ? nil : element.placeholder.map { ValueType(name: $0) }
    }

    /// Returns the value of a parameter.
    ///
    /// - Throws: `LinkError` with code `payloadMismatch` that names the parameter, what it takes, and the text.
    package func payload(_ value: RouteValue) throws(LinkError) -> Payload {
        switch value {
        case .list(let texts):
            guard type.isArray else { throw mismatch("one value", found: "\(texts.count) values") }
            var items: [Payload] = []
            for text in texts { items.append(try payload(text: text)) }
            return .array(items)
        case .text(let text):
            let value = try payload(text: text)
            return type.isArray ? .array([value]) : value
        case .integer(let number):
            if case .integer(let range, _) = element, range.contains(number) { return .int(number) }
            return try payload(text: String(number))
        case .unsigned(let number):
            if case .unsigned(let range, _) = element, range.contains(number) { return .uint(number) }
            return try payload(text: String(number))
        case .float(let number): return .double(number)
        case .boolean(let boolean): return .bool(boolean)
        }
    }

    private func payload(text: String) throws(LinkError) -> Payload {
        switch element {
        case .integer(let range, let type):
            guard case .integer(let number)? = ValueType.int.value(of: text), range.contains(number) else {
                throw noInteger(
                    text, as: type, range: ValueType.range(of: text, Int64.self, within: range), expected: "an integer")
            }
            return .int(number)
        case .unsigned(let range, let type):
            guard case .unsigned(let number)? = ValueType.uint.value(of: text), range.contains(number) else {
                throw noInteger(
                    text, as: type, range: ValueType.range(of: text, UInt64.self, within: range),
                    expected: "an integer that is not negative")
            }
            return .uint(number)
        case .number:
            guard case .float(let number)? = ValueType.float.value(of: text) else {
                throw mismatch("a number", found: text.quoted())
            }
            return .double(number)
        case .boolean:
            // A name without a value, as in "?autoplay", switches something on.
            if text.isEmpty { return .bool(true) }
            guard case .boolean(let boolean)? = ValueType.bool.value(of: text) else {
                throw mismatch("true or false", found: text.quoted())
            }
            return .bool(boolean)
        case .uuid:
            guard ValueType.uuid.value(of: text) != nil else { throw mismatch("a UUID", found: text.quoted()) }
            return .string(text)
        case .date:
            guard let date = Timestamp(rfc3339: text) else {
                throw mismatch("a date such as 2026-01-31T12:00:00Z", found: text.quoted())
            }
            return .date(date)
        case .other:
            guard choice?.contains(text) ?? true else {
                throw mismatch("one of \((choice ?? []).joined(separator: ", "))", found: text.quoted())
            }
            return .string(text)
        }
    }

    /// - Parameter range: the range of the type if the text is an integer outside of it.
    private func noInteger(_ text: String, as type: String, range: String?, expected: String) -> LinkError {
        guard let range else { return mismatch(expected, found: text.quoted()) }
        return problem("\(text.quoted()) is out of range for \(type), which is \(range)")
    }

    private func mismatch(_ expected: String, found: String) -> LinkError {
        problem("expected \(expected), found \(found)")
    }

    private func problem(_ text: String) -> LinkError {
        LinkError(.payloadMismatch, message: "\(place): \(text)")
    }
}
