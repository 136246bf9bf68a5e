import SystemSupport

/// Why a payload could not be read, decoded or copied: where in it, what was expected, what was there.
///
///     owner.addresses[2].street: expected string, found int
public struct PayloadError: Error, Hashable, Sendable {
    /// One step from the root towards the place.
    public enum PathElement: Hashable, Sendable {
        case key(String)
        case index(Int)
    }

    /// From the root to the place; empty for the root itself.
    public var path: [PathElement]
    /// What the reader expected, as in "string" or "an item of at most 64 levels".
    public var expected: String
    /// What was there, as in "string", "int 300" or "nothing": never text, which may be a secret in the wrong place,
    /// and a number only where a number was expected.
    public var found: String

    /// An error at a place; without a path at the root.
    public init(path: [PathElement] = [], expected: String, found: String) {
        self.path = path
        self.expected = expected
        self.found = found
    }

    /// The same error, seen from one level further out.
    package func within(_ element: PathElement) -> PayloadError {
        var error = self
        error.path.insert(element, at: 0)
        return error
    }

    /// What `read` makes of a value that lies one level further in: its errors are seen from here.
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
    /// A step to the value of a key.
    public init(stringLiteral value: String) { self = .key(value) }
    /// A step to the item at an index.
    public init(integerLiteral value: Int) { self = .index(value) }
}

extension PayloadError: CustomStringConvertible {
    /// Place, expectation and finding as one line; keys that do not look like names are quoted and cut.
    public var description: String {
        var place = ""
        for element in path {
            switch element {
            case .key(let key): place += place.isEmpty ? key.plainOrQuoted : ".\(key.plainOrQuoted)"
            case .index(let index): place += "[\(index)]"
            }
        }
        return "\(place.isEmpty ? "the payload" : place): expected \(expected), found \(found)"
    }
}

extension String {
    /// The text as it is when it looks like a name, else in quotes.
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
