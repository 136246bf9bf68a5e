/// Properties of single bytes of URLs.
enum Bytes {
    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Whether a name may contain it: letters, digits, underscores, and everything beyond ASCII.
    @inline(__always)
    static func isIdentifier(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    /// Whether the scheme of a pattern may contain it. RFC 3986 has no underscores, but programs use them.
    @inline(__always)
    static func isScheme(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
    }

    /// RFC 3986, section 2.3: what never needs to be encoded.
    @inline(__always)
    static func isUnreserved(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
    }

    @inline(__always)
    static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    static func isUUID(_ text: some Collection<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        return text.enumerated().allSatisfy { index, byte in
            [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : hexadecimal(byte) != nil
        }
    }
}

/// The beginning of a URL or a pattern.
struct URLScheme {
    /// Where the scheme ends; it begins at 0, and is empty in `://host`.
    let end: Int
    /// Whether `//` follows.
    let hasAuthority: Bool
    /// Where the authority begins, or else the path.
    let pathStart: Int

    /// Finds the scheme: all before `://`, or a name that RFC 3986 allows before a colon. Nil if there is none.
    @inline(__always)
    static func find(count: Int, _ byte: (Int) -> UInt8) -> URLScheme? {
        var index = 0
        var isName = true
        while index < count {
            let value = byte(index)
            switch value {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return nil
            case UInt8(ascii: ":"):
                if index + 2 < count, byte(index + 1) == UInt8(ascii: "/"), byte(index + 2) == UInt8(ascii: "/") {
                    return URLScheme(end: index, hasAuthority: true, pathStart: index + 3)
                }
                guard index > 0, isName else { return nil }
                return URLScheme(end: index, hasAuthority: false, pathStart: index + 1)
            default:
                isName =
                    isName
                    && (Bytes.isLetter(value)
                        || index > 0
                            && (Bytes.isDigit(value) || value == UInt8(ascii: "+") || value == UInt8(ascii: "-")
                                || value == UInt8(ascii: ".")))
            }
            index += 1
        }
        return nil
    }
}

extension String {
    /// The URL without the spaces, tabs and line ends around it, which come along when one is copied or read from a
    /// line. They are never part of a URL (RFC 3986, appendix C).
    package var withoutSpaceAround: String {
        func isSpace(_ byte: UInt8?) -> Bool { byte.map { $0 == 0x20 || (0x09...0x0D).contains($0) } ?? false }
        guard isSpace(utf8.first) || isSpace(utf8.last) else { return self }
        let bytes = utf8.drop { isSpace($0) }
        let end = bytes.lastIndex { !isSpace($0) }.map { bytes.index(after: $0) } ?? bytes.startIndex
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}
