/// The arguments of a closure's call, taken one after the other.
struct ClosureArguments {
    private let payload: Payload
    private var index = 0

    /// - Throws: when there are not as many arguments as types.
    init<each Argument>(_ payload: Payload, _ types: (repeat (each Argument).Type)) throws(PayloadError) {
        var count = 0
        for _ in repeat each types { count += 1 }
        let isList = payload.kind == .array || (payload.isNull && count == 0)
        guard isList, payload.count == count else {
            let found = payload.kind == .array ? "\(payload.count)" : unsafe payload.unsafeNode.kindSummary
            throw PayloadError(expected: "an array of \(count) arguments", found: found)
        }
        self.payload = payload
    }

    /// The next argument.
    ///
    /// - Throws: when it is of another type, with its index.
    mutating func next<Argument: PayloadConvertible>(_ type: Argument.Type) throws(PayloadError) -> Argument {
        defer { index += 1 }
        do {
            return try (payload[index] ?? .null).value()
        } catch {
            throw error.within(.index(index))
        }
    }
}
