/// What texts of a URL become for a parameter, as the parameter's type is written in a manifest or in source: `Int8`,
/// `[UUID]?`, `Swift.Optional<Double> = 1`.
package struct RouteParameterType: Hashable, Sendable {
    /// What one string becomes.
    package enum Element: Hashable, Sendable {
        /// With the name of the type.
        case integer(ClosedRange<Int64>, String)
        case unsigned(ClosedRange<UInt64>, String)
        case number
        case boolean
        case uuid
        case date
        /// Another type, by its name.
        case other(String)
    }

    package let element: Element
    /// Whether it takes several texts.
    package let isArray: Bool
    package let isOptional: Bool
    package let hasDefault: Bool

    package init(_ written: String) {
        let parts = written.split(separator: "=", maxSplits: 1)
        hasDefault = parts.count > 1
        let type = (parts.first ?? "").filter { $0 != " " }
        let wrapped = type.hasSuffix("?") ? String(type.dropLast()) : type.argument(of: "Optional")
        isOptional = wrapped != nil
        let bare = wrapped ?? type
        let isList = bare.hasPrefix("[") && bare.hasSuffix("]") && !bare.contains(":")
        let item = isList ? String(bare.dropFirst().dropLast()) : bare.argument(of: "Array")
        isArray = item != nil
        element = Element(item ?? bare)
    }

    /// The type of a placeholder that accepts the same texts, such as "int"; nil if any text is accepted, or several are.
    package var placeholder: String? { isArray ? nil : element.placeholder }

    /// Whether a placeholder of a type, such as "int", has only texts that the parameter takes as they are.
    package func accepts(placeholder type: String) -> Bool {
        let own = placeholder ?? "string"
        return switch type {
        case "uint": own == "uint" || own == "int"
        case "uuid": own == "uuid" || element.isText
        default: own == type
        }
    }
}

extension RouteParameterType.Element {
    /// Whether it is plain text.
    package var isText: Bool { self == .other("String") || self == .other("string") }

    /// The type of a placeholder that accepts the same texts; nil if it accepts any.
    package var placeholder: String? {
        switch self {
        case .integer: "int"
        case .unsigned: "uint"
        case .number: "float"
        case .boolean: "bool"
        case .uuid: "uuid"
        case .date, .other: nil
        }
    }

    package init(_ type: String) {
        var name = type[...]
        for module in ["Swift.", "Foundation.", "ComponentKit."] where name.hasPrefix(module) {
            name = name.dropFirst(module.count)
        }
        self =
            switch name {
            case "Int", "Int64", "int", "int64": .integer(.min ... .max, String(name))
            case "Int8", "int8": .integer(Int64(Int8.min)...Int64(Int8.max), String(name))
            case "Int16", "int16": .integer(Int64(Int16.min)...Int64(Int16.max), String(name))
            case "Int32", "int32": .integer(Int64(Int32.min)...Int64(Int32.max), String(name))
            case "UInt", "UInt64", "uint", "uint64": .unsigned(0 ... .max, String(name))
            case "UInt8", "uint8": .unsigned(0...UInt64(UInt8.max), String(name))
            case "UInt16", "uint16": .unsigned(0...UInt64(UInt16.max), String(name))
            case "UInt32", "uint32": .unsigned(0...UInt64(UInt32.max), String(name))
            case "Double", "Float", "double", "float": .number
            case "Bool", "bool": .boolean
            case "UUID": .uuid
            case "Date", "Timestamp", "date": .date
            default: .other(type)
            }
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
