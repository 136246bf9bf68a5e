import ComponentKit
import Routing
import Testing

@testable import ComponentCatalog
@testable import ComponentHost

@Suite("The routes that components declare")
struct DeclaredRouteTests {
    @Test("a component gets no more patterns than the limit, and the rest is refused")
    func manyPatterns() {
        let groups = "/:page(/a)(/b)(/c)(/d)(/e)(/f)"
        let selectors = (0..<200).map { number in
            SelectorDeclaration(
                name: "s\(number)", parameters: [],
                routes: [
                    RouteDeclaration(pattern: "studio://\(number)\(groups)"), RouteDeclaration(pattern: "/\(number)"),
                ])
        }
        let manifest = Manifest(
            name: "Many", version: Version(1, 0, 0), module: "",
            classes: [ClassDeclaration(name: "ManyLink", instances: .shared, selectors: selectors)], requires: [])
        let component = LinkedComponent.make(name: "Many", version: "1.0.0", [])
        let unit = unsafe ComponentUnit(manifest, .builtIn(component.descriptor), options: .quiet)
        let declared = DeclaredRoutes([unit], options: RoutingOptions())
        // 64 patterns with groups, and one without, for each selector.
        #expect(declared.table.count == 306)
        #expect(declared.refused.count == 94)
        #expect(declared.refused.allSatisfy { $0.reason.contains("at most 10000 patterns") })
    }
}
