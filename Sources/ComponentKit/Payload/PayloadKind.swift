public import CHSLink

/// What a payload value is.
///
/// `unknown` carries a tag of a later revision of the boundary: such a value travels on, and is
/// refused only where it would have to be encoded or printed.
public enum PayloadKind: Sendable, Hashable {
    case null, bool, int, uint, double, string, bytes, date, array, map, object
    case unknown(UInt32)

    /// The kind for a tag of `hslink_value`.
    @inlinable
    public init(tag: UInt32) {
        switch Int(tag) {
        case HSLINK_NULL: self = .null
        case HSLINK_BOOL: self = .bool
        case HSLINK_INT: self = .int
        case HSLINK_UINT: self = .uint
        case HSLINK_DOUBLE: self = .double
        case HSLINK_STRING: self = .string
        case HSLINK_BYTES: self = .bytes
        case HSLINK_DATE: self = .date
        case HSLINK_ARRAY: self = .array
        case HSLINK_MAP: self = .map
        case HSLINK_OBJECT: self = .object
        default: self = .unknown(tag)
        }
    }
}

extension PayloadKind: CustomStringConvertible {
    /// The word used in error messages and manifests.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool: "bool"
        case .int: "int"
        case .uint: "uint"
        case .double: "double"
        case .string: "string"
        case .bytes: "bytes"
        case .date: "date"
        case .array: "array"
        case .map: "map"
        case .object: "object"
        case .unknown(let tag): "unknown(\(tag))"
        }
    }
}
