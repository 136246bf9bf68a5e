import ComponentCatalog
import ComponentKit
import HostContract

/// The host's own class `hslink.Pages`, which lists the page modules. Swift code uses
/// `HostPagesServiceClient` of `HostContract`, where the answers are described.
///
/// | class method | payload | answer |
/// |---|---|---|
/// | `modules` | nothing | `{"modules": [{"name", "component", "class", "selector", "kind", "condition", "parameters", "data", "problem"}]}` |
/// | `check` | `{"module": "owner.addresses", "data": {…}}` | `{"problems": [{"path": ["limit"], "expected", "found"}]}` |
/// | `read` | `{"module": "owner.address", "query": "id=3"}` | `{"data": {"id": 3}}` or `{"problem": {"name", "reason"}}` |
///
/// `parameters` and `data`, the fields of the module's model, are arrays of `{"name", "type"}` in their order.
/// `kind` is "class" for a class method and missing otherwise, as `problem` is for a module without one, and `condition`
/// and `data` for one that answers a view and takes no data.
final class HostPagesLink: LinkClass, HostPagesService {
    static let provided = ProvidedClass(HostPagesLink.self, name: "hslink.Pages")
    static let services = [HostPagesServiceClient.__service.name]
    static let methods = HostPagesServiceTable<HostPagesLink>.methods

    private let core: HostCore

    init(_ context: ComponentContext) throws { core = try HostCore.of(context) }

    func modules() -> PageModuleList { PageModuleList(modules: core.pageModuleInfos().map(PageModuleRow.init)) }

    func check(module: String, data: Payload?) -> PageDataProblems {
        PageDataProblems(problems: core.pageDataProblems(of: module, data).map(PageDataProblem.init))
    }

    func read(module: String, query: String) -> PageValues {
        do throws(PageValueError) {
            return PageValues(data: try core.pageValues(of: module, query: query))
        } catch {
            return PageValues(problem: PageValueProblem(name: error.name, reason: error.reason))
        }
    }
}

extension PageModuleRow {
    fileprivate init(_ info: PageModuleInfo) {
        self.init(
            name: info.name, component: info.component, class: info.className, selector: info.selector,
            kind: info.kind.rawValue, condition: info.isCondition, parameters: info.parameters.map(FieldRow.init),
            data: info.dataFields.map(FieldRow.init), problem: info.problem)
    }
}

extension FieldRow {
    fileprivate init(_ parameter: SelectorDeclaration.Parameter) {
        self.init(name: parameter.name, type: parameter.type)
    }
}

extension PageDataProblem {
    fileprivate init(_ problem: PayloadError) {
        let path = problem.path.map { element -> Payload in
            switch element {
            case .key(let key): .string(key)
            case .index(let index): Payload(index)
            }
        }
        self.init(path: path, expected: problem.expected, found: problem.found)
    }
}
