public import ComponentHost
public import ComponentKit
public import PageKit
import Testing

extension LinkHost {
    /// Asks a page module for its view, as a page does, and checks the view.
    public func view(
        _ module: String, data: Payload? = nil, page: String = "home", section: String = "first"
    ) async throws -> ViewNode {
        let view: ViewNode = try await answer(module, data: data, page: page, section: section).value()
        try view.check()
        return view
    }

    /// Asks a page module, as a page does.
    public func answer(
        _ module: String, data: Payload? = nil, page: String = "home", section: String = "first"
    ) async throws -> Payload {
        let info = try #require(pageModules.first { $0.name == module }, "\(module)")
        var payload = [info.parameters[0].name: PageContext(page: page, section: section).payload]
        if let data { payload[info.parameters[1].name] = data }
        return try await call(info.className, info.selector, payload.payload)
    }

    /// Performs an action of a view of a page module, as a page does.
    @discardableResult
    public func perform(_ action: Action?, of module: String, _ values: [String: String] = [:]) async throws -> Payload
    {
        let info = try #require(pageModules.first { $0.name == module }, "\(module)")
        guard case .call(let selector, var parameters)? = action?.effect else {
            Issue.record("\(module) has no action that calls a selector: \(String(describing: action))")
            return .null
        }
        for (name, value) in values { parameters[name] = .string(value) }
        return try await call(info.className, selector, parameters.payload)
    }

    /// Checks the page files of a component: each is JSON, and names modules that the component offers.
    public func checkPages(of component: String, _ names: [String], foreign: Set<String> = []) async throws {
        let files = try await service(PageSourceClient.self, from: component).pages()
        #expect(files.map(\.name) == names)
        let offered = Set(pageModules.filter { $0.component == component }.map(\.name))
        for file in files {
            let page = try Payload(json: file.text)
            #expect(try page.string("page") + ".json" == file.name)
            let modules = try page["sections"]?.items().map { try $0.string("module") } ?? []
            #expect(!modules.isEmpty)
            #expect(Set(modules).subtracting(foreign).isSubset(of: offered), "\(modules)")
        }
    }
}

extension ViewNode {
    /// The view and all views in it, outermost first.
    public var all: [ViewNode] { [self] + children.flatMap(\.all) }

    /// The texts of all views of the kind text, and of placeholders.
    public var texts: [String] {
        all.compactMap { node in
            switch node.content {
            case .text(let text): text.text
            case .placeholder(let placeholder): placeholder.text
            default: nil
            }
        }
    }

    /// The fields of all forms.
    public var fields: [FieldContent] {
        all.compactMap { if case .field(let field) = $0.content { field } else { nil } }
    }
}
