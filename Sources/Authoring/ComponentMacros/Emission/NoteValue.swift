/// A JSON value (RFC 8259) in a note's text. Its description has no whitespace and keeps the order of keys.
enum NoteValue {
    case string(String)
    case bool(Bool)
    case int(Int)
    case array([NoteValue])
    case object([(key: String, value: NoteValue)])
}

extension NoteValue: ExpressibleByStringLiteral {
    init(stringLiteral value: String) { self = .string(value) }
}

extension NoteValue: CustomStringConvertible {
    var description: String {
        switch self {
        case .string(let text): Self.quoted(text)
        case .bool(let value): value ? "true" : "false"
        case .int(let number): "\(number)"
        case .array(let items): "[" + items.map(\.description).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\(Self.quoted($0.key)):\($0.value)" }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

/// Collects the members of an object and skips those without a value.
struct NoteMembers {
    private(set) var list: [(key: String, value: NoteValue)] = []

    mutating func add(_ key: String, _ value: NoteValue) { list.append((key, value)) }

    mutating func add(_ key: String, _ text: String?) {
        if let text { list.append((key, .string(text))) }
    }

    /// Adds a flag if it is true.
    mutating func add(_ key: String, flag: Bool) {
        if flag { list.append((key, .bool(true))) }
    }

    /// Adds a number unless it is zero.
    mutating func add(_ key: String, number: Int) {
        if number != 0 { list.append((key, .int(number))) }
    }

    /// Adds a list unless it is empty.
    mutating func add(_ key: String, items: [NoteValue]) {
        if !items.isEmpty { list.append((key, .array(items))) }
    }

    /// Adds an object unless it is empty.
    mutating func add(_ key: String, members: [(key: String, value: NoteValue)]) {
        if !members.isEmpty { list.append((key, .object(members))) }
    }

    var value: NoteValue { .object(list) }
}
