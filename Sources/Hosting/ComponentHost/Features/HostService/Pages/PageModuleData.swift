import ComponentCatalog
import ComponentKit
import ManifestRules

/// The data that a page module takes, as its manifest describes it.
struct PageModuleData {
    private let parameter: SelectorDeclaration.Parameter
    private let models: ModelPool
    private let scope: ModelPool.Scope

    /// Creates the description; nil if the module takes no data.
    init?(of selector: SelectorDeclaration, in manifest: Manifest) {
        guard selector.parameters.count == 2 else { return nil }
        parameter = selector.parameters[1]
        models = ModelPool(manifest.models)
        scope = ModelPool.Scope(module: manifest.module, owner: "")
    }

    /// The fields of its model; empty if the manifest has no such model.
    var fields: [SelectorDeclaration.Parameter] {
        let type = WrittenType(parameter.type).type
        guard case .model(let index) = models.find((type.wrapped ?? type).name, in: scope),
            case .fields(let fields) = models.models[index].content
        else { return [] }
        return fields.map { SelectorDeclaration.Parameter(name: $0.name, type: $0.type) }
    }

    /// Returns what does not fit, with paths from the data on.
    func problems(_ data: Payload?) -> [PayloadError] {
        let written = WrittenType(parameter.type)
        // A page without data may say so.
        guard let data, !data.isNull else {
            return written.mayBeMissing ? [] : [PayloadError(expected: written.text, found: "nothing")]
        }
        var check = ValueCheck(models)
        check.check(data, written, in: scope)
        return check.problems
    }
}

extension HostCore {
    /// Returns why the data that a page has does not fit a module; empty if it does, or if there is no such module.
    func pageDataProblems(of module: String, _ data: Payload?) -> [PayloadError] {
        let (units, found) = registry.contents.withLock { ($0.ordered, $0.catalog) }
        for unit in units where !isGone(unit, from: found) {
            for entry in unit.classEntries.sorted(by: { $0.name < $1.name }) {
                for selector in entry.declaration.selectors where selector.pageModule?.name == module {
                    if let model = PageModuleData(of: selector, in: unit.manifest) { return model.problems(data) }
                    guard let data, !data.isNull else { return [] }
                    return [PayloadError(expected: "no data, because the module takes none", found: "\(data.kind)")]
                }
            }
        }
        return []
    }
}
