import CDeclarations

/// Functions on types in clang's notation, such as "int (*)(const char *)".
enum TypeText {
    /// Returns the names and keywords in a type.
    static func words(_ type: String) -> [String] {
        type.utf8.split { !$0.isPartOfCName }.compactMap { String($0) }.filter { !($0.first?.isNumber ?? true) }
    }

    /// Returns the declaration of a name with a type, such as "int (*compare)(const char *)".
    static func declaration(of name: String, _ type: String) -> String {
        let bytes = Array(type.utf8)
        var index = 0
        // The name goes into the innermost parentheses around stars.
        while let open = bytes[index...].firstIndex(where: { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "[") }) {
            guard bytes[open] == UInt8(ascii: "("), open + 1 < bytes.count, bytes[open + 1] == UInt8(ascii: "*") else {
                return inserting(name, bytes, at: open)
            }
            index = open + 1
            while index < bytes.count, bytes[index] == UInt8(ascii: "*") || bytes[index] == UInt8(ascii: " ") {
                index += 1
                // Qualifiers such as const belong to the star.
                while index < bytes.count, bytes[index].isPartOfCName { index += 1 }
            }
            let isNested = index + 1 < bytes.count && bytes[index] == UInt8(ascii: "(")
            guard isNested, bytes[index + 1] == UInt8(ascii: "*") else { return inserting(name, bytes, at: index) }
        }
        return inserting(name, bytes, at: bytes.count)
    }

    private static func inserting(_ name: String, _ bytes: [UInt8], at index: Int) -> String {
        let before = String(decoding: bytes[..<index], as: UTF8.self)
        let needsSpace = bytes[..<index].last.map { $0.isPartOfCName || $0 == UInt8(ascii: "}") } ?? false
        return before + (needsSpace ? " " : "") + name + String(decoding: bytes[index...], as: UTF8.self)
    }

    /// Returns the range of an unnamed type, such as "struct (unnamed struct at zlib.h:3:4)", in a type.
    static func unnamed(in type: String) -> Range<String.Index>? {
        for word in ["(unnamed", "(anonymous"] {
            guard let start = type.firstRange(of: word) else { continue }
            // The path may contain parentheses, but a location ends with two numbers.
            var end = start.upperBound
            while let close = type[end...].firstIndex(of: ")") {
                end = type.index(after: close)
                if type[type.index(before: close)].isNumber { break }
            }
            guard
                let keyword = ["struct", "union", "enum"]
                    .compactMap({ type[..<start.lowerBound].ranges(of: $0).last?.lowerBound }).max()
            else { return nil }
            return keyword..<end
        }
        return nil
    }
}

extension TypeText {
    /// Replaces all occurrences of a part of a type, except where it is the beginning of a longer name.
    static func replacing(_ type: String, _ part: String, with text: String) -> String {
        var result = ""
        var rest = type[...]
        while let range = rest.firstRange(of: part) {
            let isWhole = rest[range.upperBound...].utf8.first.map { !$0.isPartOfCName } ?? true
            result += rest[..<range.lowerBound] + (isWhole ? text : part)
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
