/// The one spelling of each scalar type, which is Swift's. Authors in other languages also write `string` for `String`
/// and `bytes` for `Data`; a manifest is read as if it had Swift's names, so that contracts, checks and listings know
/// only these.
enum TypeSpelling {
    /// Returns a type, which a default may follow, with Swift's names: `[String: Int]? = nil` for
    /// `[string: int]? = nil`. Labels, parts of a path and defaults stay as they are.
    static func swift(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var copied = 0
        var index = 0
        // A type has no equals sign, so what follows one is a default.
        while index < bytes.count, bytes[index] != UInt8(ascii: "=") {
            let start = index
            while index < bytes.count, bytes[index].isInName { index += 1 }
            guard index > start else {
                index += 1
                continue
            }
            guard let name = name(of: bytes[start..<index]), !isLabelOrPath(bytes, start..<index) else { continue }
            result += bytes[copied..<start]
            result += name.utf8
            copied = index
        }
        guard copied > 0 else { return text }
        return String(decoding: result + bytes[copied...], as: UTF8.self)
    }

    /// Returns Swift's name of a type; nil if it has no other, or is no scalar type.
    private static func name(of bytes: ArraySlice<UInt8>) -> String? {
        guard let first = bytes.first, first >= UInt8(ascii: "a"), bytes.count <= 6 else { return nil }
        return switch String(decoding: bytes, as: UTF8.self) {
        case "string": "String"
        case "bool": "Bool"
        case "int": "Int"
        case "int8": "Int8"
        case "int16": "Int16"
        case "int32": "Int32"
        case "int64": "Int64"
        case "uint": "UInt"
        case "uint8": "UInt8"
        case "uint16": "UInt16"
        case "uint32": "UInt32"
        case "uint64": "UInt64"
        case "double": "Double"
        case "float": "Float"
        case "bytes": "Data"
        case "date": "Date"
        default: nil
        }
    }

    /// Whether a name belongs to a path, as in `A.int`, or is the label of an element, as in `(int: A)`; the key of a
    /// dictionary is neither.
    private static func isLabelOrPath(_ bytes: [UInt8], _ name: Range<Int>) -> Bool {
        let before = bytes[..<name.lowerBound].last { $0 != UInt8(ascii: " ") }
        let after = bytes[name.upperBound...].first { $0 != UInt8(ascii: " ") }
        if before == UInt8(ascii: ".") || after == UInt8(ascii: ".") { return true }
        return after == UInt8(ascii: ":") && before != UInt8(ascii: "[")
    }
}

extension UInt8 {
    /// Whether the byte may be part of a name; those of other alphabets are.
    fileprivate var isInName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "`"), 0x80...:
            true
        default: false
        }
    }
}
