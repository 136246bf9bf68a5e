/// The version of a component: three numbers with an optional prerelease and optional build metadata, as in
/// `1.4.0`, `2.0.0-beta.2` or `1.0.0+20251121`.
///
/// Order and syntax follow Semantic Versioning 2.0.0 (semver.org): a prerelease precedes its release, and build
/// metadata affects neither order nor equality.
public struct Version: Sendable {
    /// The major version, incremented for incompatible changes.
    public let major: UInt64
    /// The minor version, incremented for additions.
    public let minor: UInt64
    /// The patch version, incremented for fixes.
    public let patch: UInt64
    /// The identifiers after `-`; empty for a release.
    public private(set) var prerelease: [String]
    /// The identifiers after `+`; empty if there are none.
    public private(set) var build: [String]

    /// Creates a release version.
    public init(_ major: UInt64, _ minor: UInt64, _ patch: UInt64) {
        self.major = major
        self.minor = minor
        self.patch = patch
        prerelease = []
        build = []
    }

    /// Parses a version; returns nil if the text is not a version or a number exceeds 64 bits.
    ///
    /// - Parameter text: The version, without surrounding text.
    public init?(_ text: String) {
        var rest = Substring(text).utf8
        guard let major = Version.number(&rest), rest.popFirst() == UInt8(ascii: "."),
            let minor = Version.number(&rest), rest.popFirst() == UInt8(ascii: "."),
            let patch = Version.number(&rest)
        else { return nil }
        self.init(major, minor, patch)
        guard let sign = rest.first else { return }
        if sign == UInt8(ascii: "-") {
            let identifiers = rest.dropFirst().prefix { $0 != UInt8(ascii: "+") }
            rest = rest[identifiers.endIndex...]
            prerelease = Substring(identifiers).split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard prerelease.allSatisfy({ $0.isVersionIdentifier && !$0.isPaddedNumber }) else { return nil }
        }
        guard let sign = rest.popFirst() else { return }
        build = Substring(rest).split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard sign == UInt8(ascii: "+"), build.allSatisfy(\.isVersionIdentifier) else { return nil }
    }

    /// Removes a number without leading zeros from the front of the text and returns it; nil if there is none.
    private static func number(_ text: inout Substring.UTF8View) -> UInt64? {
        let start = text.first
        var number: UInt64 = 0
        var count = 0
        while let byte = text.first, byte.isDigit {
            let shifted = number.multipliedReportingOverflow(by: 10)
            let sum = shifted.partialValue.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
            if shifted.overflow || sum.overflow { return nil }
            number = sum.partialValue
            count += 1
            text.removeFirst()
        }
        return count == 0 || count > 1 && start == UInt8(ascii: "0") ? nil : number
    }
}

extension Version: Comparable, Hashable {
    /// Returns whether neither version precedes the other.
    public static func == (left: Version, right: Version) -> Bool {
        left.numbers == right.numbers && left.prerelease == right.prerelease
    }

    /// Returns whether `left` is the older version.
    public static func < (left: Version, right: Version) -> Bool {
        if left.numbers != right.numbers { return left.numbers < right.numbers }
        if left.prerelease.isEmpty || right.prerelease.isEmpty {
            return !left.prerelease.isEmpty && right.prerelease.isEmpty
        }
        for (one, other) in zip(left.prerelease, right.prerelease) where one != other {
            return one.precedes(other)
        }
        return left.prerelease.count < right.prerelease.count
    }

    /// Hashes the parts that equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(major)
        hasher.combine(minor)
        hasher.combine(patch)
        hasher.combine(prerelease)
    }

    private var numbers: (UInt64, UInt64, UInt64) { (major, minor, patch) }

    /// Returns whether the three numbers are equal.
    func isSameRelease(as other: Version) -> Bool { numbers == other.numbers }
}

extension Version: CustomStringConvertible {
    /// The version in the format that ``init(_:)`` reads.
    public var description: String {
        var text = "\(major).\(minor).\(patch)"
        if !prerelease.isEmpty { text += "-" + prerelease.joined(separator: ".") }
        if !build.isEmpty { text += "+" + build.joined(separator: ".") }
        return text
    }
}

extension StringProtocol {
    /// Whether the text consists of letters, digits and hyphens, and is not empty.
    fileprivate var isVersionIdentifier: Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return !isEmpty
            && utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") || letters.contains($0 | 0x20) }
    }

    fileprivate var isNumber: Bool { utf8.allSatisfy(\.isDigit) }

    /// Whether the text is a number with a leading zero.
    fileprivate var isPaddedNumber: Bool { utf8.count > 1 && utf8.first == UInt8(ascii: "0") && isNumber }
}

extension String {
    /// Orders numbers by value and before all other identifiers, which are in ASCII order. Numbers have no leading
    /// zeros, so a longer one is larger.
    fileprivate func precedes(_ other: String) -> Bool {
        switch (isNumber, other.isNumber) {
        case (true, true) where utf8.count != other.utf8.count: utf8.count < other.utf8.count
        case (true, false): true
        case (false, true): false
        default: utf8.lexicographicallyPrecedes(other.utf8)
        }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
