/// The version of a component: three numbers, and where needed a prerelease and build metadata, as in
/// `1.4.0`, `2.0.0-beta.2` or `1.0.0+20251121`.
///
/// Order and syntax follow Semantic Versioning 2.0.0 (semver.org): a prerelease comes before its release,
/// build metadata counts neither for the order nor for equality.
public struct Version: Sendable {
    /// Changes when users of the component have to change.
    public let major: UInt64
    /// Changes when something is added.
    public let minor: UInt64
    /// Changes with every correction.
    public let patch: UInt64
    /// The identifiers after `-`, empty for a release.
    public private(set) var prerelease: [String]
    /// The identifiers after `+`.
    public private(set) var build: [String]

    /// A release.
    public init(_ major: UInt64, _ minor: UInt64, _ patch: UInt64) {
        self.major = major
        self.minor = minor
        self.patch = patch
        prerelease = []
        build = []
    }

    /// - Parameter text: a whole version, nothing around it; nil when it is none, or a number is beyond 64
    ///   bits.
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

    /// Takes a number without leading zeros off the front; nil when there is none.
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
    /// Whether neither comes before the other.
    public static func == (left: Version, right: Version) -> Bool {
        left.numbers == right.numbers && left.prerelease == right.prerelease
    }

    /// Whether `left` is the older one.
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

    /// Hashes what counts for equality.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(major)
        hasher.combine(minor)
        hasher.combine(patch)
        hasher.combine(prerelease)
    }

    private var numbers: (UInt64, UInt64, UInt64) { (major, minor, patch) }

    /// Whether the three numbers are the same.
    func isSameRelease(as other: Version) -> Bool { numbers == other.numbers }
}

extension Version: CustomStringConvertible {
    /// The form that ``init(_:)`` reads.
    public var description: String {
        var text = "\(major).\(minor).\(patch)"
        if !prerelease.isEmpty { text += "-" + prerelease.joined(separator: ".") }
        if !build.isEmpty { text += "+" + build.joined(separator: ".") }
        return text
    }
}

extension StringProtocol {
    /// Letters, digits and hyphens, at least one.
    fileprivate var isVersionIdentifier: Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return !isEmpty
            && utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") || letters.contains($0 | 0x20) }
    }

    fileprivate var isNumber: Bool { utf8.allSatisfy(\.isDigit) }

    /// A number with a zero in front of it.
    fileprivate var isPaddedNumber: Bool { utf8.count > 1 && utf8.first == UInt8(ascii: "0") && isNumber }
}

extension String {
    /// Numbers by value, before everything else; the rest by ASCII. (Without leading zeros the longer
    /// number is the larger one, whatever its size.)
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
