import ComponentCatalog
import ComponentKit
import ManifestRules
import Routing
import SystemSupport

/// The data that a page module takes, as its manifest describes it.
struct PageModuleData {
    private let parameter: SelectorDeclaration.Parameter
    private let models: ModelPool
    private let scope: ModelPool.Scope

    /// Creates the description; nil if the module takes no data.
    init?(of selector: SelectorDeclaration, ofClass className: String, in unit: ComponentUnit) {
        guard selector.parameters.count == 2 else { return nil }
        parameter = selector.parameters[1]
        // A program has the models of all its modules, and its classes come from any of them.
        models = unit.isHost ? HostScan.imageModels : ModelPool(unit.manifest.models)
        let module = unit.isHost ? HostScan.module(ofClass: className) : unit.manifest.module
        scope = ModelPool.Scope(module: module, owner: "")
    }

    /// Its model; nil if no such model is known.
    private var model: ModelDeclaration? {
        let type = WrittenType(parameter.type).type
        guard case .model(let index) = models.find((type.wrapped ?? type).name, in: scope) else { return nil }
        return models.models[index]
    }

    /// The fields of its model; empty if no such model is known.
    var fields: [SelectorDeclaration.Parameter] {
        guard case .fields(let fields)? = model?.content else { return [] }
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

/// Why the values of a page cannot be read.
struct PageValueError: Error {
    /// The name of the value; empty if it is about all of them.
    let name: String
    /// What is wrong, as a sentence with the name.
    let reason: String
}

extension PageModuleData {
    /// Reads the data from the query of a URL, by the rules for the parameters of a route.
    func values(_ query: String) throws(PageValueError) -> Payload {
        let options = RoutingOptions()
        let items: [QueryItem]
        do throws(RouteURLError) {
            items = try QueryItem.items(of: "/?\(query)", options)
        } catch {
            throw PageValueError(name: "", reason: "\(error)")
        }
        let fields = fields
        // Of two models of one name, a field means the one of its own module.
        let module = model?.module ?? ""
        let own = models.models.filter { $0.module.isExactly(module) }
        let ordered = own + models.models.filter { !$0.module.isExactly(module) }
        var entries: [(String, Payload)] = []
        for (name, value) in QueryItem.merged(items, options) {
            guard let field = fields.first(where: { $0.name.isExactly(name) }) else {
                let similar = SimilarName.nearest(to: name, in: fields.map(\.name)).map { "; did you mean \"\($0)\"?" }
                throw PageValueError(name: name, reason: "it takes no value \(name.quoted())\(similar ?? "")")
            }
            let place = "the value \"\(field.name)\""
            do throws(LinkError) {
                entries.append((name, try RouteParameter(field, models: ordered, place: place).payload(value)))
            } catch {
                throw PageValueError(name: name, reason: error.message)
            }
        }
        // A model that may be missing is, and one with defaults has them.
        let data = entries.isEmpty && problems(nil).isEmpty ? Payload.null : .map(entries)
        guard let problem = problems(data).first else { return data }
        let name = problem.path.first.flatMap { if case .key(let key) = $0 { key } else { nil } } ?? ""
        let isMissing = problem.path.count == 1 && problem.found == "nothing"
        throw PageValueError(
            name: name, reason: isMissing ? "the value \"\(name)\" is missing" : problem.text(root: "its values"))
    }
}

extension HostCore {
    /// Returns why the data that a page has does not fit a module; empty if it does, or if there is no such module.
    func pageDataProblems(of module: String, _ data: Payload?) -> [PayloadError] {
        guard let model = pageModuleData(of: module) else { return [] }
        if let model { return model.problems(data) }
        guard let data, !data.isNull else { return [] }
        return [PayloadError(expected: "no data, because the module takes none", found: "\(data.kind)")]
    }

    /// Reads the values of a page as the data of a module; null if there is no such module.
    func pageValues(of module: String, query: String) throws(PageValueError) -> Payload {
        guard let model = pageModuleData(of: module) else { return .null }
        guard let model else {
            if query.isEmpty { return .null }
            throw PageValueError(name: "", reason: "it takes no values, because the module \(module) takes no data")
        }
        return try model.values(query)
    }

    /// Finds a module.
    ///
    /// - Returns: nil if there is no such module, else the data that it takes, if any.
    private func pageModuleData(of module: String) -> PageModuleData?? {
        let (units, found) = registry.contents.withLock { ($0.ordered, $0.catalog) }
        for unit in units where !isGone(unit, from: found) {
            for entry in unit.classEntries.sorted(by: { $0.name < $1.name }) {
                for selector in entry.declaration.selectors where selector.pageModule?.name.isExactly(module) == true {
                    return .some(PageModuleData(of: selector, ofClass: entry.name, in: unit))
                }
            }
        }
        return nil
    }
}
