import HTTPTypes

/// Headers that keep a browser from misusing an answer.
enum SecurityHeaders {
    /// Nothing is loaded from elsewhere and nothing in a page is run: scripts and styles come from files.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "media-src 'self'",
        "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// Made once, since every answer has them.
    private static let fields = [
        HTTPField(name: .contentSecurityPolicy, value: policy),
        HTTPField(name: .xContentTypeOptions, value: "nosniff"),
        HTTPField(name: .init(known: "Referrer-Policy"), value: "same-origin"),
        HTTPField(name: .init(known: "Cross-Origin-Opener-Policy"), value: "same-origin"),
        HTTPField(name: .init(known: "Cross-Origin-Resource-Policy"), value: "same-origin"),
        HTTPField(name: .init(known: "Permissions-Policy"), value: "camera=(), geolocation=(), microphone=()"),
        HTTPField(name: .init(known: "X-Frame-Options"), value: "DENY"),
    ]

    /// Adds the headers that every answer has.
    ///
    /// - Parameter isSecure: whether the connection is encrypted.
    static func add(to headers: inout HTTPFields, isSecure: Bool) {
        // No answer has any of them before, so they are appended without looking.
        for field in fields { headers.append(field) }
        if isSecure { headers[.strictTransportSecurity] = "max-age=31536000" }
        // What is shown depends on who asks.
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
    }
}

extension HTTPField.Name {
    static let lastEventID = Self(known: "Last-Event-ID")

    /// A name that is known to be one.
    init(known name: StaticString) {
        guard let name = Self("\(name)") else { preconditionFailure("\(name) is not the name of a header") }
        self = name
    }
}
