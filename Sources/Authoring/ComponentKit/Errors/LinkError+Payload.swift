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
