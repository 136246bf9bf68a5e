import ComponentKit

/// A client's request to a host: a map with `request` and `id`, a number that the client chooses to match the answer.
struct ControlRequest: Sendable {
    enum Kind: Sendable {
        /// Calls a selector. Answered when the call has ended.
        case call(CallDescription)
        /// Cancels the call with the same id. The call is answered; this request is not.
        case cancel
        /// Returns the contents of `hslink list`.
        case list
        /// Returns the manifests of the components that can be called; with a class name, only of those that declare
        /// the class. A host that does not know the key for the class returns all of them.
        case describe(className: String?)
        /// Scans the component directories again.
        case rescan
    }

    let id: Int64
    let kind: Kind

    /// The encoded request.
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

    /// Decodes a request.
    ///
    /// - Throws: ``RequestError`` if the request is malformed or unknown, with its id if that could be read.
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
                id: id, ControlError(.unknownRequest, "the host does not know the request '\(name.prefix(60))'"))
        }
        kind = known
    }

    init(id: Int64, _ kind: Kind) {
        self.id = id
        self.kind = kind
    }
}

extension ControlRequest.Kind {
    /// - Returns: nil if the request is unknown.
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

/// The reason why a request was not executed.
struct RequestError: Error {
    /// The id of the request; nil if it could not be read.
    let id: Int64?
    let error: ControlError

    init(id: Int64?, _ error: ControlError) {
        self.id = id
        self.error = error
    }
}
