/// The path of a request, split and decoded.
struct WebPath: Hashable, Sendable {
    /// The components between the slashes, decoded. None is empty, "." or "..", and none contains a NUL or a slash.
    let parts: [String]

    /// The longest path that is read, in bytes.
    static let longest = 4096

    /// - Returns: nil if the path is not a clean one. It is refused and not repaired: two readings of one path are a
    ///   hole.
    init?(_ path: String) {
        guard path.utf8.count <= WebPath.longest, path.utf8.first == UInt8(ascii: "/") else { return nil }
        if path == "/" {
            parts = []
            return
        }
        var parts: [String] = []
        for part in path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let decoded = WebPath.decoded(part[...], plusIsSpace: false),
                !["", ".", ".."].contains(decoded), !decoded.utf8.contains(where: { $0 == 0 || $0 == 47 })
            else { return nil }
            parts.append(decoded)
        }
        self.parts = parts
    }

    /// Decodes what is percent-encoded; nil if it is malformed or not UTF-8.
    static func decoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> String? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(digit), let low = iterator.next().flatMap(digit) else {
                    return nil
                }
                result.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: result.append(UInt8(ascii: " "))
            default: result.append(byte)
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// The fields of a form as a browser posts them (`application/x-www-form-urlencoded`, WHATWG URL Standard).
struct FormBody: Hashable, Sendable {
    /// The values by the bytes of the names: two texts that Swift takes as equal may be the names of two fields.
    private let values: [[UInt8]: String]

    /// The most fields that are read.
    private static let mostFields = 1000
    /// The largest body, in bytes.
    static let largest = 256 * 1024

    /// - Returns: nil if the body is malformed, has too many fields, or one of them twice.
    init?(_ body: some Collection<UInt8>) {
        var values: [[UInt8]: String] = [:]
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            let value = pair.dropFirst(name.count + 1)
            guard values.count < FormBody.mostFields, let name = WebPath.decoded(name, plusIsSpace: true),
                let value = WebPath.decoded(value, plusIsSpace: true), values[Array(name.utf8)] == nil
            else { return nil }
            // Browsers send line ends as two characters.
            values[Array(name.utf8)] = value.replacing("\r\n", with: "\n")
        }
        self.values = values
    }

    subscript(name: String) -> String? { values[Array(name.utf8)] }

    /// Returns the fields whose names begin with this, without it; nil if two of them are equal for Swift. No form of a
    /// page has such fields, and one of them would hide the other.
    func values(after prefix: String) -> [String: String]? {
        var found: [String: String] = [:]
        for (name, value) in values where name.starts(with: prefix.utf8) {
            let field = String(decoding: name.dropFirst(prefix.utf8.count), as: UTF8.self)
            guard found.updateValue(value, forKey: field) == nil else { return nil }
        }
        return found
    }
}
