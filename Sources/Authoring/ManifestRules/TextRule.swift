/// A rule for a text in a manifest. The macros apply it when a component is built, and hosts and tools when they read
/// the manifest, so any text that compiles also loads.
package struct TextRule: Sendable {
    /// A description of the allowed texts, to follow the word "expected".
    package let expected: String
    private let isMet: @Sendable (String) -> Bool
    private let guess: @Sendable (String) -> String?

    private init(
        _ expected: String, correcting guess: @escaping @Sendable (String) -> String? = { _ in nil },
        isMet: @escaping @Sendable (String) -> Bool
    ) {
        self.expected = expected
        self.guess = guess
        self.isMet = isMet
    }

    package func allows(_ text: String) -> Bool { isMet(text) }

    /// Returns the valid text that was probably meant; nil if there is no good guess.
    package func correction(of text: String) -> String? { guess(text).flatMap { allows($0) ? $0 : nil } }
}

extension TextRule {
    /// The name under which a host logs and counts itself, which no component may have.
    package static let hostName = "host"

    /// The name of a component, which appears in file names, tables and command lines.
    package static let componentName = TextRule(
        #"a letter A-Z or a-z, then letters, digits, "_", "." or "-" only, and not "host", the host's own name"#
    ) { text in
        text.utf8.first?.isLetter == true
            && text.utf8.count <= 255 && text != hostName
            && text.utf8.allSatisfy { $0.isLetterOrDigit || ".-".utf8.contains($0) }
    }

    /// The name of a class, a protocol or a model: text that fits on one line of a table.
    package static let name = TextRule("1 to 255 bytes without control characters") { text in
        !text.isEmpty && text.utf8.count <= 255 && !text.unicodeScalars.contains(where: \.isControl)
    }

    /// The name of a selector. It has no leading plus, because requirements mark class selectors with one.
    package static let selector = TextRule("1 to 255 bytes without control characters, no leading \"+\"") { text in
        name.allows(text) && !text.hasPrefix("+")
    }

    /// The name of a service that consumers and providers agree on, including its revision number.
    package static let service = TextRule(
        #"letters, digits, dots and hyphens, then a slash and a revision number, such as "com.example.account/1""#
    ) { text in
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 255, let revision = UInt32(parts[1]), String(revision) == parts[1],
            let first = parts[0].utf8.first, let last = parts[0].utf8.last
        else { return false }
        return first.isLetterOrDigit && last.isLetterOrDigit
            && parts[0].utf8.allSatisfy { $0.isLetterOrDigit || ".-".utf8.contains($0) }
    }

    /// The name of an event that posters and handlers agree on.
    package static let event = TextRule(
        #"letters, digits, dots and hyphens, then a slash and a name, such as "com.example.account/signedIn""#
    ) { text in
        // Checked for each event that is posted by its name, so it makes no copies.
        guard text.utf8.count <= 255 else { return false }
        var (parts, last) = (0, UInt8(ascii: "/"))
        for byte in text.utf8 {
            switch byte {
            case _ where byte.isLetterOrDigit: if last == UInt8(ascii: "/") { parts += 1 }
            case UInt8(ascii: "."), UInt8(ascii: "-"): if last == UInt8(ascii: "/") { return false }
            case UInt8(ascii: "/"): if !last.isLetterOrDigit { return false }
            default: return false
            }
            last = byte
        }
        return parts == 2 && last.isLetterOrDigit
    }

    /// A word that routes are marked with, and that interceptors select routes by.
    package static let routeTag = TextRule(#"1 to 64 letters, digits, "_", "." or "-""#) { text in
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isLetterOrDigit || ".-".utf8.contains($0) }
    }

    /// The name of a source outside the program that a route is limited to.
    package static let routeSource = routeTag

    /// The name by which pages call a page module.
    package static let pageModule = TextRule(#"1 to 128 letters, digits, "_", "." or "-""#) { text in
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isLetterOrDigit || ".-".utf8.contains($0) }
    }

    /// The version of a component, as defined by Semantic Versioning 2.0.0.
    package static let version = TextRule(
        #"a version such as "1.0.0" or "1.0.0-beta.1""#,
        correcting: { text in
            Condition(text).flatMap { ["", "v", "="].contains($0.sign) ? $0.version : nil }
        },
        isMet: { Version($0) != nil })

    /// The range of acceptable versions of a component.
    package static let versionRange = TextRule(
        #"a range such as ">=1.0.0 <2.0.0" or "1.2.0""#,
        correcting: { text in
            let words = text.split { $0 == " " || $0 == "," || $0 == "\t" }.map(String.init)
            let conditions = words.compactMap { Condition($0)?.range }
            return conditions.count == words.count ? conditions.joined(separator: " ") : nil
        },
        isMet: { VersionRange($0) != nil })
}

/// A version condition in the syntax of other package managers: `~>1.2`, `^1.2.3`, `==1.0`, `v1`.
private struct Condition {
    let sign: String
    private let numbers: [UInt64]
    private let rest: String

    init?(_ text: String) {
        sign = String(text.prefix { "<>=~^!v".contains($0) })
        let body = text.dropFirst(sign.count)
        let words = body.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        rest = String(body.dropFirst(words.count))
        let numbers = words.split(separator: ".", omittingEmptySubsequences: false).map { UInt64($0) }
        guard (1...3).contains(numbers.count), rest.isEmpty || rest.hasPrefix("-") || rest.hasPrefix("+") else {
            return nil
        }
        self.numbers = numbers.compactMap(\.self)
        guard self.numbers.count == numbers.count else { return nil }
    }

    var version: String { (numbers + [0, 0]).prefix(3).map { "\($0)" }.joined(separator: ".") + rest }

    var range: String? {
        switch sign {
        case "", "v": version
        case "<", "<=", "=", ">=", ">": sign + version
        case "==": "=" + version
        case "^": ">=\(version) <\(numbers[0] &+ 1).0.0"
        case "~>", "~":
            numbers.count < 3
                ? ">=\(version) <\(numbers[0] &+ 1).0.0" : ">=\(version) <\(numbers[0]).\(numbers[1] &+ 1).0"
        default: nil
        }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    fileprivate var isLetterOrDigit: Bool {
        isLetter || self == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}

extension Unicode.Scalar {
    /// Whether the character could control a terminal: control characters, and those that change the writing direction.
    /// Listed by code point, because the compiler's Unicode version may differ from the host's, and both must allow the
    /// same names.
    fileprivate var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F: true
        default: false
        }
    }
}
