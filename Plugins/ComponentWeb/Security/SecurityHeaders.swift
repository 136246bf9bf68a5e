import HTTPTypes

/// Headers that keep a browser from misusing an answer.
struct SecurityHeaders: Sendable {
    /// Nothing in a page is run, and nothing is loaded from elsewhere but pages that the operator allows to be embedded:
    /// scripts and styles come from files.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "media-src 'self'",
        "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ]

    /// Made once, since every answer has them.
    private let fields: [HTTPField]
    private let isSecure: Bool

    init(_ options: WebOptions) {
        let origins = options.embeddedOrigins.compactMap { WebOrigin($0)?.text }
        let frames = origins.isEmpty ? [] : ["frame-src \(origins.joined(separator: " "))"]
        fields = [
            HTTPField(name: .contentSecurityPolicy, value: (SecurityHeaders.policy + frames).joined(separator: "; ")),
            HTTPField(name: .xContentTypeOptions, value: "nosniff"),
            HTTPField(name: .init(known: "Referrer-Policy"), value: "same-origin"),
            HTTPField(name: .init(known: "Cross-Origin-Opener-Policy"), value: "same-origin"),
            HTTPField(name: .init(known: "Cross-Origin-Resource-Policy"), value: "same-origin"),
            HTTPField(name: .init(known: "Permissions-Policy"), value: "camera=(), geolocation=(), microphone=()"),
            HTTPField(name: .init(known: "X-Frame-Options"), value: "DENY"),
        ]
        isSecure = options.isSecure
    }

    /// Adds the headers that every answer has.
    func add(to headers: inout HTTPFields) {
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
