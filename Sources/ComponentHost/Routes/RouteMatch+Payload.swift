import ComponentKit
import Routing

extension RouteMatch where Value == RouteTarget {
    /// Returns the payload of the call: the values of the placeholders, the items of the query and what the caller
    /// passes. Those from the URL get the types that the selector declares; items of the query that it does not declare
    /// are left out.
    ///
    /// - Throws: `LinkError` with code `payloadMismatch` if a value does not fit, or there are too many.
    func payload(_ passed: Payload, _ options: RoutingOptions) throws(LinkError) -> Payload {
        var entries: [(String, Payload)] = []
        let query = try items()
        // The strongest source of a key comes first.
        for source in options.precedence {
            switch source {
            case .path:
                for (name, value) in pathValues where !name.isEmpty && !entries.contains(where: { $0.0 == name }) {
                    entries.append((name, try typed(name, value)))
                }
            case .payload:
                for (name, value) in (try? passed.entries()) ?? [] where !entries.contains(where: { $0.0 == name }) {
                    entries.append((name, value))
                }
            case .query:
                for (written, value) in query {
                    guard let name = declaredName(written, options),
                        !entries.contains(where: { $0.0 == name })
                    else { continue }
                    entries.append((name, try typed(name, value)))
                }
            }
        }
        return .map(entries)
    }

    private func items() throws(LinkError) -> [(name: String, value: RouteValue)] {
        do throws(RouteURLError) {
            return try queryValues()
        } catch {
            throw LinkError(.payloadMismatch, message: "\(error)")
        }
    }

    /// Returns the parameter that an item of the query is for; nil if the selector does not declare it.
    private func declaredName(_ written: String, _ options: RoutingOptions) -> String? {
        guard let parameters = value.parameters else { return written }
        if parameters.contains(where: { $0.name == written }) { return written }
        guard options.ignoresCaseOfNames else { return nil }
        let name = written.lowercased()
        return parameters.first { $0.name.lowercased() == name }?.name
    }

    private func typed(_ name: String, _ value: RouteValue) throws(LinkError) -> Payload {
        guard let parameter = self.value.parameters?.first(where: { $0.name == name }) else { return Payload(value) }
        return try parameter.payload(value)
    }
}

extension Payload {
    /// The value of a parameter that no selector declares.
    init(_ value: RouteValue) {
        switch value {
        case .text(let text): self = .string(text)
        case .integer(let number): self = .int(number)
        case .unsigned(let number): self = .uint(number)
        case .float(let number): self = .double(number)
        case .boolean(let boolean): self = .bool(boolean)
        case .list(let texts): self = .array(texts.map { .string($0) })
        }
    }
}
