import Testing

@testable import ComponentKit

@Suite("The resources of a component without a host")
struct NoResourcesTests {
    @Test("there are no names, and each file is missing")
    func missing() throws {
        let context = ComponentContext(name: "Alone", directory: "", link: Link(NoBackend()))
        #expect(context.resources.component == "Alone")
        #expect(try context.resources.names() == [])
        let requests: [(Resources) throws -> Void] = [
            { _ = try $0.names(in: "icons") }, { _ = try $0.url("icons") }, { _ = try $0.data("icons") },
            { _ = try $0.string("icons") }, { _ = try $0.localized(for: ["de"]).json("icons", as: Int.self) },
        ]
        for request in requests {
            let error = #expect(throws: ResourceError.self) { try request(context.resources) }
            #expect(error?.code == .notFound)
            #expect(error?.description == #"Alone: the resource "icons": the component has no host to find it"#)
        }
        let error = #expect(throws: ResourceError.self) { try context.resources.directory() }
        #expect(error?.message == "the resources: the component has no host to find it")
    }

    @Test("an error about a resource keeps its code and message on the way to a caller")
    func error() {
        let error = LinkError(thrown: ResourceError(.tooLarge, component: "A", name: "b.txt", reason: "it is large"))
        #expect((error.domain, error.number, error.component) == ("hslink.resources", 6, "A"))
        #expect(error.message == #"the resource "b.txt": it is large"#)
        #expect(error.details == ["resource": "b.txt"])
        #expect(error.classIsLoad)
    }
}
