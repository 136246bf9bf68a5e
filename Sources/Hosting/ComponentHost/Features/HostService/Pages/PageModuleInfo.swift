public import ComponentCatalog
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
    /// Whether it returns a boolean, which hides sections, instead of a view.
    public let isCondition: Bool
    /// The fields of the model of its data, with their types; empty if it has no data, or the manifest has no such model.
    public let dataFields: [SelectorDeclaration.Parameter]
    /// Why pages do not show it: another module has the same name, or the file of the component is gone.
    public let problem: String?
}

extension HostCore {
    /// Whether the file of a component is gone. One in memory keeps running without its file, but taking the file away
    /// means that it is to go.
    func isGone(_ unit: ComponentUnit, from catalog: Catalog) -> Bool {
        unit.file != nil && catalog.entry(named: unit.name) == nil
    }

    /// The page modules of components, sorted by name. Of modules with the same name, the first in loading order has no
    /// problem.
    func pageModuleInfos() -> [PageModuleInfo] {
        var first: [String: String] = [:]
        var infos: [PageModuleInfo] = []
        let (units, found) = registry.contents.withLock { ($0.ordered, $0.catalog) }
        for unit in units {
            let isGone = isGone(unit, from: found)
            for entry in unit.classEntries.sorted(by: { $0.name < $1.name }) {
                for selector in entry.declaration.selectors {
                    guard let name = selector.pageModule?.name else { continue }
                    let place = "\(entry.name).\(selector.name) of \(unit.name)"
                    let other = first[name]
                    if other == nil, !isGone { first[name] = place }
                    let problem = isGone ? "the file of \(unit.name) is gone" : other.map { "\($0) has the same name" }
                    infos.append(
                        PageModuleInfo(
                            name: name, component: unit.name, className: entry.name, selector: selector.name,
                            kind: selector.kind, parameters: selector.parameters, isCondition: selector.isCondition,
                            dataFields: PageModuleData(of: selector, ofClass: entry.name, in: unit)?.fields ?? [],
                            problem: problem))
                }
            }
        }
        return infos.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map(\.element)
    }
}

extension SelectorDeclaration {
    /// Whether pages may use it to hide sections.
    fileprivate var isCondition: Bool { result == "Bool" || result == "bool" }
}
