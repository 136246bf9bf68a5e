import ComponentKit

/// An answer from a host: a map with the `id` of the request and one of `value`, `error`, `notSendable` and `refusal`.
struct ControlAnswer: Sendable {
    enum Content: Sendable {
        case value(Payload)
        /// The call has failed.
        case error(LinkError)
        /// The call was performed, but its result cannot be sent to another process.
        case notSendable(PayloadError)
        /// The request was not executed.
        case refusal(ControlError)
    }

    /// The id of the request; nil if the answer is about the connection, which then ends.
    let id: Int64?
    let content: Content

    init(id: Int64?, _ content: Content) {
        self.id = id
        self.content = content
    }

    private var payload: Payload {
        let own: (String, Payload) =
            switch content {
            case .value(let value): ("value", value)
            case .error(let error): ("error", error.payload)
            case .notSendable(let error): ("notSendable", error.payload)
            case .refusal(let error):
                ("refusal", ["code": .string(error.code.description), "message": .string(error.message)])
            }
        return .map([("id", id.map { .int($0) } ?? .null), own])
    }

    /// Returns the encoded answer. An answer that cannot be sent is replaced by a reduced one, or by the reason.
    ///
    /// - Parameter limit: the maximum number of bytes that the other side accepts.
    /// - Returns: The bytes, and whether they are the whole answer.
    func encoded(limit: Int) -> (bytes: [UInt8], isWhole: Bool) {
        do throws(PayloadError) {
            return (try bytes(limit: limit), true)
        } catch {
            for content in substitutes(for: error) {
                if let bytes = try? ControlAnswer(id: id, content).bytes(limit: limit) { return (bytes, false) }
            }
            return ([], false)
        }
    }

    private func bytes(limit: Int) throws(PayloadError) -> [UInt8] {
        let bytes = try payload.cbor(limits: .message)
        guard bytes.count <= limit else {
            throw PayloadError(expected: "at most \(limit) bytes", found: "\(bytes.count)")
        }
        return bytes
    }

    /// Returns replacements for an answer that cannot be sent, each more likely to succeed than the one before.
    private func substitutes(for problem: PayloadError) -> [Content] {
        let last = Content.refusal(ControlError(.tooMuch, "the answer cannot be sent"))
        switch content {
        case .value: return [.notSendable(problem), last]
        case .error(let error):
            return [
                .error(error.describingDetails),
                .error(
                    LinkError(
                        error.code, message: error.message, className: error.className, selector: error.selector,
                        component: error.component)), last,
            ]
        case .notSendable, .refusal: return [last]
        }
    }

    /// Decodes an answer.
    init(_ payload: Payload) throws(PayloadError) {
        id = try payload.intIfPresent("id").map { Int64($0) }
        if let value = payload["value"] {
            content = .value(value)
        } else if let error = payload["error"] {
            content = .error(try LinkError(payload: error))
        } else if let error = payload["notSendable"] {
            content = .notSendable(try PayloadError(payload: error))
        } else {
            let refusal = try payload.value("refusal")
            content = .refusal(
                ControlError(ControlError.Code(try refusal.string("code")), try refusal.string("message")))
        }
    }
}

extension PayloadError {
    fileprivate var payload: Payload {
        let path = path.map { element -> Payload in
            switch element {
            case .key(let key): .string(key)
            case .index(let index): Payload(index)
            }
        }
        return ["path": .array(path), "expected": .string(expected), "found": .string(found)]
    }

    fileprivate init(payload: Payload) throws(PayloadError) {
        var path: [PathElement] = []
        for element in try payload.value("path").items() {
            path.append(element.kind == .string ? .key(try element.string()) : .index(try element.int()))
        }
        self.init(path: path, expected: try payload.string("expected"), found: try payload.string("found"))
    }
}
