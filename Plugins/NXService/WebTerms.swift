import NXServiceContract

/// What a request may cost, within what is configured.
struct WebTerms: Sendable {
    /// The largest body of the answer, in bytes.
    let limit: Int
    /// How long the exchange may take, in seconds.
    let timeout: Double
    let followsRedirects: Bool
    let retries: Int

    /// Checks what a request asks for.
    ///
    /// - Throws: `invalidRequest`.
    init(_ request: WebRequest, _ options: WebOptions) throws(WebError) {
        limit = min(request.maximumBytes ?? options.maximumBytes, options.maximumBytes)
        guard limit > 0 else {
            throw .invalidRequest(property: "maximumBytes", reason: "expected at least 1, found \(limit)")
        }
        timeout = min(request.timeout ?? options.timeout, options.timeout)
        guard timeout > 0 else {
            throw .invalidRequest(property: "timeout", reason: "expected more than 0 seconds, found \(timeout)")
        }
        guard (0...WebRetry.maximumCount).contains(request.retries) else {
            throw .invalidRequest(
                property: "retries", reason: "expected 0 to \(WebRetry.maximumCount), found \(request.retries)")
        }
        guard request.retries == 0 || request.method.isIdempotent else {
            throw .invalidRequest(
                property: "retries",
                reason: "a server that has received a \(request.method.rawValue) before performs it twice; expected 0")
        }
        followsRedirects = request.followsRedirects
        retries = request.retries
    }
}
