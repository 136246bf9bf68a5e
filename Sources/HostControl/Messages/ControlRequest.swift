import ComponentKit

/// What a client asks of a host: a map with `id`, a number of the client's own for the answer, and `request`.
struct ControlRequest: Sendable {
    enum Kind: Sendable {
        /// Calls a selector. Its answer comes when it has ended.
        case call(CallDescription)
        /// Ends the call with this request's id. That call is answered, this request is not.
        case cancel
        /// All that `hslink list` shows.
        case list
        /// The manifests of the components that can be called, or of those alone that declare a class. A host that does not
        /// know the class's key answers with all of them.
        case describe(className: String?)
        /// To look through the directories again.
        case rescan
    }

    let id: Int64
    let kind: Kind

    /// The request as it travels.
    var payload: Payload {
        var entries: [(String, Payload)] = [("id", .int(id))]
        switch kind {
        case .call(let call): entries += [("request", "call")] + call.entries
        case .cancel: entries.append(("request", "cancel"))
        case .list: entries.append(("request", "list"))
        case .describe(let className):
            entries.append(("request", "describe"))
            if let className { entries.append(("class", .string(className))) }
        case .rescan: entries.append(("request", "rescan"))
        }
        return .map(entries)
    }

    /// Reads a request.
    ///
    /// - Throws: a ``RequestError``: the id where there is one, and whether the rest can be understood.
    init(_ payload: Payload) throws(RequestError) {
        do throws(PayloadError) {
            id = Int64(try payload.int("id"))
        } catch {
            throw RequestError(id: nil, ControlError(.malformed, "the request has no id: \(error)"))
        }
        let known: Kind?
        do throws(PayloadError) {
            known = try Kind(payload)
        } catch {
            throw RequestError(id: id, ControlError(.malformed, "the request cannot be understood: \(error)"))
        }
        guard let known else {
            let name = (try? payload.string("request")) ?? ""
            throw RequestError(
                id: id, ControlError(.unknownRequest, "the host knows no request '\(name.prefix(60))'"))
        }
        kind = known
    }

    init(id: Int64, _ kind: Kind) {
        self.id = id
        self.kind = kind
    }
}

extension ControlRequest.Kind {
    /// - Returns: nil when the request is not known.
    fileprivate init?(_ payload: Payload) throws(PayloadError) {
        switch try payload.string("request") {
        case "call": self = .call(try CallDescription(payload))
        case "cancel": self = .cancel
        case "list": self = .list
        case "describe": self = .describe(className: try payload.stringIfPresent("class"))
        case "rescan": self = .rescan
        default: return nil
        }
    }
}

/// Why a request is not carried out.
struct RequestError: Error {
    /// Whom to tell; nil where not even that could be read.
    let id: Int64?
    let error: ControlError

    init(id: Int64?, _ error: ControlError) {
        self.id = id
        self.error = error
    }
}
