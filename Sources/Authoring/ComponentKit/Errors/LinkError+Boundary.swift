package import CHSLink

extension LinkError {
    /// Copies an error received over the boundary.
    ///
    /// - Parameter error: borrowed. Members beyond its `struct_size` are not read. Names that are too long, and details
    ///   that are too large or invalid, are left out; a message or domain that is too long becomes a placeholder with
    ///   its size.
    package init(copying error: UnsafePointer<hslink_error>) {
        unsafe self.init(copying: error, depth: 0)
    }

    /// The offsets at which the members of an error end. A member that is only partly present is not read.
    private static let memberEnds = [8, 24, 40, 56, 72, 88, 96, 104]

    /// The limits for the details of an error, which are shown to people and written to logs.
    private static let detailLimits = PayloadLimits(depth: 32, nodes: 65536, bytes: 1 << 20)

    private init(copying error: UnsafePointer<hslink_error>, depth: Int) {
        let said = unsafe Int(error.pointee.struct_size)
        let size = LinkError.memberEnds.last { $0 <= said } ?? 0
        let known = unsafe UnsafeRawPointer(error).loadBeginning(of: hslink_error.self, size: size)
        let domain = unsafe String(name: known.domain)
        var cause: LinkError?
        // The chain of causes may contain a cycle, so its depth is limited.
        if let inner = unsafe known.cause, depth < 8 { cause = unsafe LinkError(copying: inner, depth: depth + 1) }
        unsafe self.init(
            code: domain.isEmpty ? Code(rawValue: known.code) : .methodFailed,
            className: known.class_name.name ?? "", selector: known.selector.name ?? "",
            more: More(
                component: known.component.name ?? "", message: String(known.message), domain: domain,
                number: known.code,
                details: known.details.flatMap {
                    try? unsafe Payload(copying: $0.pointee, limits: LinkError.detailLimits)
                },
                cause: cause))
    }

    /// Calls `body` with the error in its boundary form, which is valid until `body` returns.
    package func withUnsafeError<Result>(_ body: (UnsafePointer<hslink_error>) -> Result) -> Result {
        unsafe domain.withLinkString { domain in
            unsafe message.withLinkMessage { message in
                unsafe className.withLinkString { className in
                    unsafe selector.withLinkString { selector in
                        unsafe component.withLinkString { component in
                            let error = unsafe hslink_error(
                                struct_size: UInt32(MemoryLayout<hslink_error>.size), code: number, domain: domain,
                                message: message, class_name: className, selector: selector, component: component,
                                details: nil, cause: nil)
                            return unsafe withDetailsAndCause(of: error, body)
                        }
                    }
                }
            }
        }
    }

    private func withDetailsAndCause<Result>(
        of error: hslink_error, _ body: (UnsafePointer<hslink_error>) -> Result
    ) -> Result {
        var error = unsafe error
        if let details {
            return unsafe details.withUnsafeValue { value in
                unsafe error.details = unsafe value
                return unsafe withCause(of: error, body)
            }
        }
        return unsafe withCause(of: error, body)
    }

    private func withCause<Result>(
        of error: hslink_error, _ body: (UnsafePointer<hslink_error>) -> Result
    ) -> Result {
        guard let cause else { return unsafe withUnsafePointer(to: error, body) }
        return unsafe cause.withUnsafeError { inner in
            var error = unsafe error
            unsafe error.cause = unsafe inner
            return unsafe withUnsafePointer(to: error, body)
        }
    }
}

// The form in which an error leaves the process, for example over the control socket of a host.
extension LinkError {
    /// The whole error as a map, which ``init(payload:)`` reads. Empty parts are left out.
    package var payload: Payload {
        var entries: [(String, Payload)] = [("code", .int(Int64(code.rawValue)))]
        for (key, text) in [
            ("class", className), ("selector", selector), ("component", component), ("message", more?.message ?? ""),
            ("domain", domain),
        ] where !text.isEmpty {
            entries.append((key, .string(text)))
        }
        if let number = more?.number, number != 0 { entries.append(("number", .int(Int64(number)))) }
        if isPassedOn { entries.append(("isPassedOn", true)) }
        if let details { entries.append(("details", details)) }
        if let cause { entries.append(("cause", cause.payload)) }
        return .map(entries)
    }

    /// Creates an error from the map that ``payload`` returns. Unknown keys are ignored.
    ///
    /// - Parameter payload: an untrusted value whose depth has already been limited.
    /// - Throws: `PayloadError` if the code is missing, or a value is not of the expected type.
    package init(payload: Payload) throws(PayloadError) {
        func text(_ key: String) throws(PayloadError) -> String { try payload.stringIfPresent(key) ?? "" }
        func number(_ key: String) throws(PayloadError) -> Int32 {
            let value = try payload.intIfPresent(key) ?? 0
            guard let number = Int32(exactly: value) else {
                throw PayloadError(path: [.key(key)], expected: "a 32-bit integer", found: "\(value)")
            }
            return number
        }
        var cause: LinkError?
        if let inner = payload["cause"], !inner.isNull {
            do throws(PayloadError) {
                cause = try LinkError(payload: inner)
            } catch {
                throw error.within("cause")
            }
        }
        _ = try payload.int("code")
        self.init(
            code: Code(rawValue: try number("code")), className: try text("class"), selector: try text("selector"),
            more: More(
                component: try text("component"), message: try text("message"), domain: try text("domain"),
                number: try number("number"), details: payload["details"], cause: cause))
        isPassedOn = try payload.boolIfPresent("isPassedOn") ?? false
    }

    /// This error with its details, and those of its causes, converted to text. For channels that cannot carry objects.
    package var describingDetails: LinkError {
        var error = self
        error.more = more.map { more in
            More(
                component: more.component, message: more.message, domain: more.domain, number: more.number,
                details: more.details.map { .string($0.description) }, cause: more.cause?.describingDetails)
        }
        return error
    }
}
