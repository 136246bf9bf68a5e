/// What stands behind a key in a note: a type, and maybe a default value.
struct WrittenType: Hashable, Sendable {
    /// As it was written.
    let text: String
    let type: TypeExpression
    let hasDefault: Bool

    /// - Parameter text: as in "Int = 10".
    init(_ text: String) {
        self.text = text
        let (type, standard) = WrittenType.split(text)
        self.type = TypeExpression(type)
        hasDefault = standard != nil
    }

    /// Whether the key may be missing.
    var mayBeMissing: Bool { hasDefault || type.wrapped != nil }

    /// - Returns: what stands before the first equals sign outside of brackets, and what stands behind it.
    static func split(_ text: String) -> (type: String, standard: String?) {
        let bytes = Array(text.utf8)
        var depth = 0
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            // That of an arrow closes nothing.
            case UInt8(ascii: ">") where index == 0 || bytes[index - 1] != UInt8(ascii: "-"): depth -= 1
            case UInt8(ascii: "=") where depth <= 0:
                return (
                    String(decoding: bytes[..<index], as: UTF8.self),
                    String(decoding: bytes[(index + 1)...], as: UTF8.self)
                )
            default: break
            }
        }
        return (text, nil)
    }
}
