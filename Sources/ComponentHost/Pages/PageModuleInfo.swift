public import ComponentKit

/// A page module that a component of a host offers.
public struct PageModuleInfo: Sendable, Hashable {
    /// The name that pages use.
    public let name: String
    /// The component.
    public let component: String
    /// The class that has the selector.
    public let className: String
    /// The selector that answers the view.
    public let selector: String
    /// Whether the selector is called on an instance or on the class.
    public let kind: SelectorKind
    /// The keys of the payload of the call, with their types: first the context, then the data if the module has any.
    public let parameters: [SelectorDeclaration.Parameter]
    /// What is wrong with it: another module has the same name, and is the one that pages show.
    public let problem: String?

    var payload: Payload {
        var entries: [(String, Payload)] = [
            ("name", .string(name)), ("component", .string(component)), ("class", .string(className)),
            ("selector", .string(selector)),
        ]
        if kind == .class { entries.append(("kind", "class")) }
        entries.append(("parameters", .map(parameters.map { ($0.name, .string($0.type)) })))
        if let problem { entries.append(("problem", .string(problem))) }
        return .map(entries)
    }
}

extension HostCore {
    /// The page modules of components, sorted by name. Of modules with the same name, the first in loading order has no
    /// problem.
    func pageModuleInfos() -> [PageModuleInfo] {
        let units = registry.contents.withLock { $0.ordered }
        var first: [String: String] = [:]
        var infos: [PageModuleInfo] = []
        for unit in units {
            for entry in unit.classEntries.sorted(by: { $0.name < $1.name }) {
                for selector in entry.declaration.selectors {
                    guard let name = selector.pageModule?.name else { continue }
                    let place = "\(entry.name).\(selector.name) of \(unit.name)"
                    let other = first[name]
                    if other == nil { first[name] = place }
                    infos.append(
                        PageModuleInfo(
                            name: name, component: unit.name, className: entry.name, selector: selector.name,
                            kind: selector.kind, parameters: selector.parameters,
                            problem: other.map { "\($0) has the same name" }))
                }
            }
        }
        return infos.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map(\.element)
    }
}

extension LinkHost {
    /// The page modules that components offer, sorted by name. Loads nothing.
    public var pageModules: [PageModuleInfo] { core.pageModuleInfos() }
}
