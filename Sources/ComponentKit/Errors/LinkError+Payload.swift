// The form in which an error leaves the process: over the control channel of a host, and whatever else there is.
extension LinkError {
    /// All of it as a map, for ``init(payload:)``. Empty parts are left out.
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

    /// Reads what ``payload`` writes. Keys that are not known are passed over.
    ///
    /// - Parameter payload: from outside; its depth has been limited already.
    package init(payload: Payload) throws(PayloadError) {
        func text(_ key: String) throws(PayloadError) -> String { try payload.stringIfPresent(key) ?? "" }
        func number(_ key: String) throws(PayloadError) -> Int32 {
            let value = try payload.intIfPresent(key) ?? 0
            guard let number = Int32(exactly: value) else {
                throw PayloadError(path: [.key(key)], expected: "a number of 32 bits", found: "\(value)")
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

    /// The same with details as text, of this error and its causes: for where objects cannot go.
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
