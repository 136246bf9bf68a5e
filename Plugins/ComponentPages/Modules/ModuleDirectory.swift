import ComponentKit
import HostContract
import PageKit

/// The class mapper: which class and selector answer the view of a page module.
struct ModuleDirectory: Sendable {
    /// A page module of a component.
    struct Module: Hashable, Sendable {
        var name: String
        var component: String
        var className: String
        var selector: String
        var kind: SelectorKind
        var isCondition: Bool
        /// The names of the parameters: the context, and the data if it takes any.
        var parameters: [String]
        /// The fields of the model of its data, as in `limit: Int = 10`.
        var data: [String]
        /// Why another module is shown in its place.
        var problem: String?
    }

    /// All modules, sorted by name.
    let all: [Module]
    private let shown: [String: Module]

    /// Asks the host. Loads nothing.
    init(asking link: Link) async throws(LinkError) {
        do {
            let pages = try link.service(HostPagesServiceClient.self)
            self.init(try await pages.modules().modules.map(Module.init))
        } catch let error as LinkError {
            throw error
        } catch {
            throw LinkError(.invalidReply, message: "the host's answer about page modules is invalid: \(error)")
        }
    }

    init(_ modules: [Module]) {
        all = modules
        shown = Dictionary(
            modules.filter { $0.problem == nil }.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the module with a name; nil if no component offers it.
    subscript(name: String) -> Module? { shown[name] }

    /// The bytes of the names of the components that have modules, none of which is shown, and not all of which have another
    /// one in their place. One in memory whose file has been taken out still says which pages it brings along.
    var unshownComponents: Set<[UInt8]> {
        func names(_ modules: [Module]) -> Set<[UInt8]> { Set(modules.map { Array($0.component.utf8) }) }
        return names(all.filter { shown[$0.name] == nil }).subtracting(names(all.filter { $0.problem == nil }))
    }

    /// Returns the names of all modules that are shown.
    var names: [String] { shown.keys.sorted() }
}

extension ModuleDirectory.Module {
    fileprivate init(_ row: PageModuleRow) {
        self.init(
            name: row.name, component: row.component, className: row.class, selector: row.selector,
            kind: SelectorKind(rawValue: row.kind) ?? .object, isCondition: row.condition,
            parameters: row.parameters.map(\.name), data: row.data.map { "\($0.name): \($0.type)" },
            problem: row.problem)
    }

    /// The payload of a call.
    func payload(_ context: PageContext, _ data: Payload?) -> Payload {
        var entries: [(String, Payload)] = []
        if let first = parameters.first { entries.append((first, context.payload)) }
        if parameters.count > 1, let data { entries.append((parameters[1], data)) }
        return .map(entries)
    }
}
