import SystemSupport

/// The reason a payload could not be read, decoded or copied: the path to the value, what was expected, and what was
/// found.
///
///     owner.addresses[2].street: expected string, found int
public struct PayloadError: Error, Hashable, Sendable {
    /// One step on the path from the root to a value.
    public enum PathElement: Hashable, Sendable {
        case key(String)
        case index(Int)

        /// Returns whether both are the same index, or keys of the same bytes.
        public static func == (left: PathElement, right: PathElement) -> Bool {
            switch (left, right) {
            case (.key(let left), .key(let right)): left.isExactly(right)
            case (.index(let left), .index(let right)): left == right
            default: false
            }
        }

        /// Hashes the key or the index.
        public func hash(into hasher: inout Hasher) {
            switch self {
            case .key(let key): hasher.combine(ExactText(key))
            case .index(let index): hasher.combine(index)
            }
        }
    }

    /// The path from the root to the value; empty for the root itself.
    public var path: [PathElement]
    /// What the reader expected, such as "string" or "at most 64 levels".
    public var expected: String
    /// What was found, such as "string", "int 300" or "nothing". It never contains the text of a string, which may be a
    /// secret passed by mistake, and it contains a number only where one was expected.
    public var found: String

    /// Creates an error for the value at `path`; an empty path means the root.
    public init(path: [PathElement] = [], expected: String, found: String) {
        self.path = path
        self.expected = expected
        self.found = found
    }

    /// What is expected of a map that has a key twice.
    static let uniqueKeys = "unique keys"

    /// Returns the same error with `element` prepended to its path.
    package func within(_ element: PathElement) -> PayloadError {
        var error = self
        error.path.insert(element, at: 0)
        return error
    }

    /// Returns the result of `read`, which reads a nested value, and prepends `element` to the path of any error it
    /// throws.
    package static func within<Value>(
        _ element: PathElement, _ read: () throws(PayloadError) -> Value
    ) throws(PayloadError) -> Value {
        do throws(PayloadError) {
            return try read()
        } catch {
            throw error.within(element)
        }
    }
}

extension PayloadError.PathElement: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// Creates a step to the value of a key.
    public init(stringLiteral value: String) { self = .key(value) }
    /// Creates a step to the item at an index.
    public init(integerLiteral value: Int) { self = .index(value) }
}

extension PayloadError: CustomStringConvertible {
    /// The path, what was expected and what was found, on one line; keys that do not look like names are quoted and
    /// truncated.
    public var description: String { text(root: "the payload") }

    /// Returns the description, with a different name, or none, for the root.
    ///
    /// - Parameter root: What the payload is, such as "the options", if the path is empty; nil to begin with "expected".
    public func text(root: String?) -> String { "\(expectation(root: root)), found \(found)" }

    /// Returns the text without what was found, which may be a secret.
    package func expectation(root: String?) -> String {
        var place = ""
        for element in path {
            switch element {
            case .key(let key): place += place.isEmpty ? key.plainOrQuoted : ".\(key.plainOrQuoted)"
            case .index(let index): place += "[\(index)]"
            }
        }
        let location = place.isEmpty ? root : place
        return (location.map { "\($0): " } ?? "") + "expected \(expected)"
    }
}

extension String {
    /// The text itself if it looks like a name, otherwise the text in quotes.
    fileprivate var plainOrQuoted: String {
        let isPlain =
            utf8.count <= 60 && !isEmpty
            && unicodeScalars.allSatisfy { scalar in
                scalar == "_" || scalar == "-" || scalar == "$" || scalar.properties.isAlphabetic
                    || scalar.properties.numericType != nil
            }
        return isPlain ? self : quoted()
    }
}
