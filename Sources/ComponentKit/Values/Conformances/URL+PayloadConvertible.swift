public import FoundationEssentials

extension URL: PayloadConvertible {
    /// The absolute URL as a string.
    public var payload: Payload { Payload(absoluteString) }

    /// Reads a URL from a string.
    ///
    /// - Throws: when there is no string, or one that is no URL.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        let text = try payload.string()
        guard let url = URL(string: text) else { throw PayloadError(expected: "URL", found: "string") }
        self = url
    }
}

extension UUID: PayloadConvertible {
    /// The UUID as a string.
    public var payload: Payload { Payload(uuidString) }

    /// Reads a UUID from a string with its 32 digits and four hyphens.
    ///
    /// - Throws: when there is no string, or one that is no UUID.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        let text = try payload.string()
        guard let value = UUID(uuidString: text) else { throw PayloadError(expected: "UUID", found: "string") }
        self = value
    }
}
