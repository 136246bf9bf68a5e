/// The position of a coder in a value, as a list from the innermost key outwards, which is cheap to extend and is
/// converted to a coding path only on request.
final class CodingPlace {
    let parent: CodingPlace?
    let key: any CodingKey

    init(_ parent: CodingPlace?, _ key: any CodingKey) {
        self.parent = parent
        self.key = key
    }
}

extension CodingPlace? {
    /// The keys from the root to this position.
    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var place = self
        while let current = place {
            path.append(current.key)
            place = current.parent
        }
        return path.reversed()
    }

    func appending(_ key: any CodingKey) -> CodingPlace { CodingPlace(self, key) }
}

/// A key that is not declared by the author's type: an index of an array, `super`, or a key of a dictionary.
struct PlainKey: CodingKey {
    private let name: String
    let intValue: Int?

    init(_ index: Int) {
        name = ""
        intValue = index
    }

    init(stringValue: String) {
        name = stringValue
        intValue = nil
    }

    /// Computed on request, because most items of an array are never named.
    var stringValue: String { intValue.map { "Index \($0)" } ?? name }

    init?(intValue: Int) { self.init(intValue) }

    static let `super` = PlainKey(stringValue: "super")
}

extension PayloadError {
    /// Returns the error in the form that `Codable` requires, with this one as the underlying error.
    ///
    /// - Parameters:
    ///   - place: The position of the value that could not be read.
    ///   - type: The type that was requested.
    func decodingError(at place: CodingPlace?, _ type: Any.Type) -> DecodingError {
        let outer = place.codingPath
        let keys = outer + path.map(\.codingKey)
        let context = DecodingError.Context(
            codingPath: keys, debugDescription: "expected \(expected), found \(found)",
            underlyingError: within(outer))
        switch found {
        case "nothing", "null": return .valueNotFound(type, context)
        default: return .typeMismatch(type, context)
        }
    }

    /// Creates an error from one that a decoder or a value's own `init(from:)` threw.
    init(decoding error: any Error) {
        switch error {
        case let error as PayloadError: self = error
        case let error as DecodingError: self.init(error.context)
        default: self.init(expected: "a valid value", found: "\(error)")
        }
    }

    private init(_ context: DecodingError.Context) {
        if let error = context.underlyingError as? PayloadError {
            self = error
        } else {
            self.init(
                path: context.codingPath.map(PathElement.init), expected: "a valid value",
                found: context.debugDescription)
        }
    }

    /// Returns the same error with a coding path prepended to its path.
    func within(_ codingPath: [any CodingKey]) -> PayloadError {
        PayloadError(path: codingPath.map(PathElement.init) + path, expected: expected, found: found)
    }
}

extension PayloadError.PathElement {
    fileprivate init(_ key: any CodingKey) {
        // A numeric key of a map belongs to the author's type, and is not an index.
        if key is PlainKey, let index = key.intValue { self = .index(index) } else { self = .key(key.stringValue) }
    }

    fileprivate var codingKey: any CodingKey {
        switch self {
        case .key(let key): PlainKey(stringValue: key)
        case .index(let index): PlainKey(index)
        }
    }
}

extension DecodingError {
    fileprivate var context: Context {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: Context(codingPath: [], debugDescription: "\(self)")
        }
    }
}
