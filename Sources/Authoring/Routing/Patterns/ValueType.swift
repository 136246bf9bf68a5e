/// The type of a placeholder's value.
public enum ValueType: Hashable, Sendable, CustomStringConvertible {
    /// A whole number, `Int64`: `7`, `-7`, `+7`.
    case int
    /// A whole number that is not negative, `UInt64`.
    case uint
    /// A decimal number, `Double`: `1.5`, `-2`, `1e3`; neither infinite nor hexadecimal.
    case float
    /// `true` or `false`, also written `1` or `0`, without regard to case.
    case bool
    /// A UUID in the form of RFC 9562, with or without capitals.
    case uuid
    /// All components that are left, at least one, as they are written, with slashes between.
    case path
    /// Any text.
    case string
    /// One that ``RoutingOptions/converters`` has.
    case custom(String)

    /// Finds a type by the name that patterns use; any other is a custom one.
    public init(name: String) {
        let builtIn = name == "double" ? .float : ValueType.builtIn.first { $0.description.isExactly(name) }
        self = builtIn ?? .custom(name)
    }

    /// The name that patterns use.
    public var description: String {
        switch self {
        case .int: "int"
        case .uint: "uint"
        case .float: "float"
        case .bool: "bool"
        case .uuid: "uuid"
        case .path: "path"
        case .string: "string"
        case .custom(let name): name
        }
    }

    /// Types that fit fewer values come first. The place of a type here is its rank; that of custom types is held by one
    /// without a name.
    static let builtIn: [ValueType] = [.uuid, .bool, .uint, .int, .float, .custom(""), .string, .path]
    static let uintRank: UInt8 = 2
    static let intRank: UInt8 = 3
    static let stringRank: UInt8 = 6

    /// The place among the placeholders of a component, best first.
    var rank: UInt8 {
        switch self {
        case .uuid: 0
        case .bool: 1
        case .uint: Self.uintRank
        case .int: Self.intRank
        case .float: 4
        case .custom: 5
        case .string: Self.stringRank
        case .path: 7
        }
    }

    /// Converts a decoded string; nil if it is not a value of this type.
    ///
    /// - Parameter converters: what custom types convert with.
    public func value(of text: String, converters: [String: RoutingOptions.Converter] = [:]) -> RouteValue? {
        switch self {
        case .int: Int64(text).map(RouteValue.integer)
        case .uint: text.utf8.first == UInt8(ascii: "-") ? nil : UInt64(text).map(RouteValue.unsigned)
        case .float: Self.decimal(text).map(RouteValue.float)
        case .bool: Self.boolean(text).map(RouteValue.boolean)
        case .uuid: Bytes.isUUID(text.utf8) ? .text(text) : nil
        case .path, .string: .text(text)
        case .custom(let name): converters[name]?(text)
        }
    }

    /// Says why a string is not a value of this type, as in `"x" is not an int`.
    func objection(to text: String) -> String {
        let range =
            switch self {
            case .int: Self.range(of: text, Int64.self)
            case .uint: Self.range(of: text, UInt64.self)
            default: nil as String?
            }
        return "\"\(text)\" is " + (range.map { "out of range for \(self), which is \($0)" } ?? "not \(phrase)")
    }

    /// Returns the range of an integer type, as in "-128 to 127", for a text that is an integer outside of it; nil for
    /// any other text.
    package static func range<Number: FixedWidthInteger>(
        of text: String, _ type: Number.Type, within range: ClosedRange<Number>? = nil
    ) -> String? {
        let bytes = text.utf8
        let digits = bytes.first.map { "+-".utf8.contains($0) } == true ? bytes.dropFirst() : bytes[...]
        guard !digits.isEmpty, digits.allSatisfy(Bytes.isDigit) else { return nil }
        let range = range ?? Number.min...Number.max
        if let number = Number(text), range.contains(number) { return nil }
        return "\(range.lowerBound) to \(range.upperBound)"
    }

    private static func decimal(_ text: String) -> Double? {
        guard
            text.utf8.allSatisfy({ byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "e")
                    || byte == UInt8(ascii: "E")
            }), let number = Double(text), number.isFinite
        else { return nil }
        return number
    }

    private static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }
}

/// A value from a URL.
public enum RouteValue: Hashable, Sendable {
    /// Decoded text.
    case text(String)
    /// The value of an ``ValueType/int``.
    case integer(Int64)
    /// The value of a ``ValueType/uint``.
    case unsigned(UInt64)
    /// The value of a ``ValueType/float``.
    case float(Double)
    /// The value of a ``ValueType/bool``.
    case boolean(Bool)
    /// The components that `*` stands for, or the values of a name that is repeated in the query.
    case list([String])
}
