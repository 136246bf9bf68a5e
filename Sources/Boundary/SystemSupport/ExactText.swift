import Glibc

/// A text that is equal only to a text of the same bytes: a path, the name of a file or a library, a name in a query or
/// a form, a key from a command line or a configuration.
///
/// Two values of `String` are equal if they are canonically equivalent: U+00E9 equals U+0065 U+0301, and the Kelvin sign
/// equals the letter K. For a file system, the dynamic loader and other programs these are different names. So tables,
/// sets and comparisons of text that the program has not written itself use this type, or the functions below.
package struct ExactText: Hashable, Comparable, Sendable {
    /// The text itself.
    package let text: String

    package init(_ text: String) { self.text = text }

    package init(_ text: Substring) { self.text = String(text) }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.isExactly(right.text) }

    /// Orders texts by their bytes.
    package static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.precedesExactly(right.text)
    }

    package func hash(into hasher: inout Hasher) {
        let isHashed: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
        if isHashed == nil { for byte in text.utf8 { hasher.combine(byte) } }
        // No text contains this byte, so the texts of an array do not run into each other.
        hasher.combine(0xFF as UInt8)
    }
}

extension ExactText: ExpressibleByStringLiteral {
    package init(stringLiteral text: StaticString) { self.text = "\(text)" }
}

extension ExactText: CustomStringConvertible {
    package var description: String { text }
}

extension String {
    /// Returns whether both texts have the same bytes; see ``ExactText``.
    @usableFromInline package func isExactly(_ other: String) -> Bool {
        let count = utf8.count
        guard count == other.utf8.count else { return false }
        let isSame: Bool?? = unsafe utf8.withContiguousStorageIfAvailable { left in
            unsafe other.utf8.withContiguousStorageIfAvailable { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return true }
                return unsafe memcmp(left, right, count) == 0
            }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Returns whether the text comes before another one in the order of their bytes; see ``ExactText``.
    @usableFromInline package func precedesExactly(_ other: String) -> Bool {
        let isBefore: Bool?? = unsafe utf8.withContiguousStorageIfAvailable { left in
            unsafe other.utf8.withContiguousStorageIfAvailable { right in
                guard let start = left.baseAddress, let otherStart = right.baseAddress else {
                    return left.count < right.count
                }
                let order = unsafe memcmp(start, otherStart, min(left.count, right.count))
                return order != 0 ? order < 0 : left.count < right.count
            }
        }
        return (isBefore ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
    }
}

// Inlinable, because scans call them from another module for each file, where generic code is many times slower.
extension StringProtocol {
    /// Returns whether both texts have the same bytes; see ``ExactText``.
    @inlinable package func isExactly(_ other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// Returns whether the text begins with these bytes. Unlike `hasPrefix`, this also finds a character that a
    /// combining mark follows, as the system does: "/\u{301}" begins with a slash.
    @inlinable package func hasExactPrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    /// Returns whether the text ends with these bytes.
    @inlinable package func hasExactSuffix(_ suffix: String) -> Bool {
        utf8.count >= suffix.utf8.count && utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    /// Returns the text without its first bytes.
    ///
    /// - Parameter prefix: What the text begins with; see ``hasExactPrefix(_:)``.
    @inlinable package func without(exactPrefix prefix: String) -> String {
        String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// Returns whether the text has an ASCII character, whatever follows it.
    @inlinable package func hasASCII(_ character: Unicode.Scalar) -> Bool { utf8.contains(UInt8(ascii: character)) }

    /// Returns the parts between the occurrences of an ASCII character, as the system splits paths.
    @inlinable package func exactParts(between separator: Unicode.Scalar, omittingEmpty: Bool = true) -> [String] {
        utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: omittingEmpty)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

extension Sequence where Element == String {
    /// Returns whether one of the texts has these bytes; see ``ExactText``.
    @inlinable package func containsExactly(_ text: some StringProtocol) -> Bool { contains { $0.isExactly(text) } }

    /// Returns whether the first texts have the bytes of those; see ``ExactText``.
    @inlinable package func startsExactly(with texts: some Sequence<String>) -> Bool {
        starts(with: texts) { $0.isExactly($1) }
    }

    /// Returns the texts in the order of their bytes.
    @inlinable package func sortedExactly() -> [String] { sorted { $0.precedesExactly($1) } }
}
