import ComponentCatalog
import ComponentKit
import Routing
import SystemSupport

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
        let query = try items()
        var assembly = PayloadAssembly(parameters: parameters, ignoresCase: options.ignoresCaseOfNames)
        // The strongest source of a key comes first.
        for source in options.precedence {
            switch source {
            case .path where withoutPath: continue
            case .path:
                for (name, value) in pathValues where !name.isEmpty { try assembly.add(placeholder: name, value) }
            case .payload:
                guard !passed.isNull else { continue }
                for (name, value) in (try? passed.entries()) ?? [] { assembly.add(name, value) }
            case .query:
                for (name, value) in query { try assembly.add(item: name, value) }
            }
        }
        return .map(assembly.entries)
    }

    private func items() throws(LinkError) -> [(name: String, value: RouteValue)] {
        do throws(RouteURLError) {
            return try queryValues()
        } catch {
            throw LinkError(.payloadMismatch, message: "\(error)")
        }
    }
}

/// The parameters of a call, of which the first with a name counts.
private struct PayloadAssembly {
    /// Nil if the selector reads its payload itself.
    let parameters: [RouteParameter]?
    let ignoresCase: Bool
    private(set) var entries: [(String, Payload)] = []
    private var places = NamePlaces()

    init(parameters: [RouteParameter]?, ignoresCase: Bool) {
        self.parameters = parameters
        self.ignoresCase = ignoresCase
        entries.reserveCapacity(parameters?.count ?? 8)
    }

    mutating func add(_ name: String, _ value: Payload) { if isNew(name) { entries.append((name, value)) } }

    mutating func add(placeholder name: String, _ value: RouteValue) throws(LinkError) {
        guard isNew(name) else { return }
        guard let place = place(of: name) else { return entries.append((name, Payload(value))) }
        try add(at: place, value)
    }

    /// Adds an item of the query, unless the selector does not declare it.
    mutating func add(item name: String, _ value: RouteValue) throws(LinkError) {
        guard parameters != nil else { return add(name, Payload(value)) }
        guard let place = place(of: name) ?? (ignoresCase ? similarPlace(to: name) : nil),
            isNew(parameters?[place].name ?? "")
        else { return }
        try add(at: place, value)
    }

    private mutating func add(at place: Int, _ value: RouteValue) throws(LinkError) {
        guard let parameters else { return }
        let parameter = parameters[place]
        entries.append((parameter.name, try parameter.payload(value)))
    }

    private mutating func isNew(_ name: String) -> Bool {
        guard entries.count > NamePlaces.fewNames else {
            return !entries.contains { $0.0.isExactly(name) }
        }
        let entries = entries
        return places.place(of: name, among: entries.count) { entries[$0].0 } == nil
    }

    private func place(of name: String) -> Int? {
        guard let parameters else { return nil }
        for place in parameters.indices where parameters[place].name.isExactly(name) { return place }
        return nil
    }

    private func similarPlace(to name: String) -> Int? {
        let name = name.lowercased()
        return parameters?.firstIndex { $0.name.lowercased().isExactly(name) }
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
