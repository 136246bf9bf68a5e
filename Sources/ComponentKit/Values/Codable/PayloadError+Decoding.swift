extension PayloadError {
    /// The error as the protocols of `Codable` want it, with this one underneath.
    ///
    /// - Parameters:
    ///   - place: of the value that could not be read.
    ///   - type: what was to be read.
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

    /// What a decoder or a value's own `init(from:)` threw.
    init(decoding error: any Error) {
        switch error {
        case let error as PayloadError: self = error
        case let error as DecodingError: self.init(error.context)
        default: self.init(expected: "a value that fits", found: "\(error)")
        }
    }

    private init(_ context: DecodingError.Context) {
        if let error = context.underlyingError as? PayloadError {
            self = error
        } else {
            self.init(
                path: context.codingPath.map(PathElement.init), expected: "a value that fits",
                found: context.debugDescription)
        }
    }

    /// The same error, seen from the root of a coding path.
    func within(_ codingPath: [any CodingKey]) -> PayloadError {
        PayloadError(path: codingPath.map(PathElement.init) + path, expected: expected, found: found)
    }
}

extension PayloadError.PathElement {
    fileprivate init(_ key: any CodingKey) {
        // A number that names a key of a map is the author's, not an index.
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
