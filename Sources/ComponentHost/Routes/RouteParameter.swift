import ComponentKit
import Routing
import SystemSupport

/// A parameter of a selector, as texts of a URL become its value.
struct RouteParameter: Sendable {
    let name: String
    /// Whether it has neither a default nor is optional.
    let isRequired: Bool
    /// What one text becomes.
    private let kind: Kind
    /// Whether it takes several texts.
    private let isArray: Bool

    private enum Kind: Sendable {
        case integer(ClosedRange<Int64>)
        case unsigned(ClosedRange<UInt64>)
        case number
        case boolean
        case uuid
        case date
        case text
        /// The texts of an enum's values, which travel as texts.
        case choice([String])
    }

    /// - Parameter models: the models that the component's file describes, to find the raw type of an enum.
    init(_ declaration: SelectorDeclaration.Parameter, models: [ModelDeclaration]) {
        name = declaration.name
        let written = declaration.type.split(separator: "=", maxSplits: 1).first.map { $0.filter { $0 != " " } } ?? ""
        isRequired =
            !written.hasSuffix("?") && !declaration.type.contains("=") && written.argument(of: "Optional") == nil
        let type = written.hasSuffix("?") ? String(written.dropLast()) : written.argument(of: "Optional") ?? written
        let isList = type.hasPrefix("[") && type.hasSuffix("]") && !type.contains(":")
        let element = isList ? String(type.dropFirst().dropLast()) : type.argument(of: "Array")
        isArray = element != nil
        kind = Self.kind(of: element ?? type, models)
    }

    private static func kind(of type: String, _ models: [ModelDeclaration]) -> Kind {
        let name = type.split(separator: ".").last.map(String.init) ?? type
        switch name {
        case "Int", "Int64", "int", "int64": return .integer(.min ... .max)
        case "Int8", "int8": return .integer(Int64(Int8.min)...Int64(Int8.max))
        case "Int16", "int16": return .integer(Int64(Int16.min)...Int64(Int16.max))
        case "Int32", "int32": return .integer(Int64(Int32.min)...Int64(Int32.max))
        case "UInt", "UInt64", "uint", "uint64": return .unsigned(0 ... .max)
        case "UInt8", "uint8": return .unsigned(0...UInt64(UInt8.max))
        case "UInt16", "uint16": return .unsigned(0...UInt64(UInt16.max))
        case "UInt32", "uint32": return .unsigned(0...UInt64(UInt32.max))
        case "Double", "Float", "double", "float": return .number
        case "Bool", "bool": return .boolean
        case "UUID": return .uuid
        case "Date", "Timestamp", "date": return .date
        default: break
        }
        // A nested type is written without the type around it, inside that type.
        let models = models.filter { $0.name == type || $0.name.hasSuffix("." + type) }
        guard let model = models.first, case .cases(let cases, let raw) = model.content else {
            return .text
        }
        if let raw { if case .text = Self.kind(of: raw, []) {} else { return Self.kind(of: raw, []) } }
        let values = cases.compactMap { raw == nil ? ($0.values.isEmpty ? $0.name : nil) : $0.rawValue }
        return values.isEmpty ? .text : .choice(values)
    }

    /// The type of a placeholder in a pattern that has none: what a text must be to match at all.
    var placeholderType: ValueType? {
        guard !isArray else { return nil }
        return switch kind {
        case .integer: .int
        case .unsigned: .uint
        case .number: .float
        case .boolean: .bool
        case .uuid: .uuid
        case .date, .text, .choice: nil
        }
    }

    /// Returns the value of a parameter.
    ///
    /// - Throws: `LinkError` with code `payloadMismatch` that names the parameter, what it takes, and the text.
    func payload(_ value: RouteValue) throws(LinkError) -> Payload {
        switch value {
        case .list(let texts):
            guard isArray else { throw mismatch("one value", found: "\(texts.count) values") }
            var items: [Payload] = []
            for text in texts { items.append(try payload(text: text)) }
            return .array(items)
        case .text(let text):
            let value = try payload(text: text)
            return isArray ? .array([value]) : value
        case .integer(let number):
            if case .integer(let range) = kind, range.contains(number) { return .int(number) }
            return try payload(text: String(number))
        case .unsigned(let number):
            if case .unsigned(let range) = kind, range.contains(number) { return .uint(number) }
            return try payload(text: String(number))
        case .float(let number): return .double(number)
        case .boolean(let boolean): return .bool(boolean)
        }
    }

    private func payload(text: String) throws(LinkError) -> Payload {
        switch kind {
        case .text: return .string(text)
        case .integer(let range):
            guard case .integer(let number)? = ValueType.int.value(of: text), range.contains(number) else {
                throw mismatch("an integer\(bounds(range, full: Int64.min...Int64.max))", found: text.quoted())
            }
            return .int(number)
        case .unsigned(let range):
            guard case .unsigned(let number)? = ValueType.uint.value(of: text), range.contains(number) else {
                let bounds = self.bounds(range, full: UInt64.min...UInt64.max)
                throw mismatch(
                    "an integer\(bounds.isEmpty ? " that is not negative" : bounds)", found: text.quoted())
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
        case .choice(let values):
            guard values.contains(text) else {
                throw mismatch("one of \(values.joined(separator: ", "))", found: text.quoted())
            }
            return .string(text)
        }
    }

    private func bounds<Number: Comparable>(_ range: ClosedRange<Number>, full: ClosedRange<Number>) -> String {
        range == full ? "" : " from \(range.lowerBound) to \(range.upperBound)"
    }

    private func mismatch(_ expected: String, found: String) -> LinkError {
        LinkError(
            .payloadMismatch, message: "the parameter \"\(name)\" of the URL: expected \(expected), found \(found)")
    }
}

extension String {
    /// Returns the `T` of a generic type that is written out, as in `Optional<T>` or `Swift.Optional<T>`.
    fileprivate func argument(of generic: String) -> String? {
        let name = hasPrefix("Swift.") ? dropFirst("Swift.".count) : self[...]
        guard name.hasPrefix(generic + "<"), name.hasSuffix(">") else { return nil }
        return String(name.dropFirst(generic.count + 1).dropLast())
    }
}
