import ComponentKit
import Routing

extension RouteMatch where Value == RouteTarget {
    /// Returns the payload of the call: the values of the placeholders, the items of the query and what the caller
    /// passes. Those from the URL get the types that the selector declares; items of the query that it does not declare
    /// are left out.
    ///
    /// - Parameters:
    ///   - passed: what the caller passes beside the URL, a map or null.
    ///   - parameters: the parameters of the selector; nil if it reads its payload itself.
    ///   - withoutPath: whether the values of placeholders are left out.
    /// - Throws: `LinkError` with code `payloadMismatch` if a value does not fit, or there are too many.
    func payload(
        _ passed: Payload, _ options: RoutingOptions, of parameters: [RouteParameter]?, withoutPath: Bool = false
    ) throws(LinkError) -> Payload {
        var entries: [(String, Payload)] = []
        var names: Set<String> = []
        let query = try items()
        // The strongest source of a key comes first.
        for source in options.precedence {
            switch source {
            case .path where withoutPath: continue
            case .path:
                for (name, value) in pathValues where !name.isEmpty && names.insert(name).inserted {
                    entries.append((name, try typed(name, value, parameters)))
                }
            case .payload:
                for (name, value) in (try? passed.entries()) ?? [] where names.insert(name).inserted {
                    entries.append((name, value))
                }
            case .query:
                for (written, value) in query {
                    guard let name = declaredName(written, parameters, options), names.insert(name).inserted else {
                        continue
                    }
                    entries.append((name, try typed(name, value, parameters)))
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
    private func declaredName(
        _ written: String, _ parameters: [RouteParameter]?, _ options: RoutingOptions
    ) -> String? {
        guard let parameters else { return written }
        if parameters.contains(where: { $0.name == written }) { return written }
        guard options.ignoresCaseOfNames else { return nil }
        let name = written.lowercased()
        return parameters.first { $0.name.lowercased() == name }?.name
    }

    private func typed(
        _ name: String, _ value: RouteValue, _ parameters: [RouteParameter]?
    ) throws(LinkError) -> Payload {
        guard let parameter = parameters?.first(where: { $0.name == name }) else { return Payload(value) }
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
