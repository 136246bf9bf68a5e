import ComponentKit
import PageKit

/// The data of a page module, for tests.
@Model
struct Greeting: Sendable {
    var name: String
    var times: Int = 1
}

/// Page modules, for tests.
@LinkClass
final class PageLink {
    @PageModule("fixture.place")
    func place(_ context: PageContext) -> some View {
        Text("\(context.section) on \(context.page): \(context.title ?? "-")")
    }

    @PageModule("fixture.greeting")
    func greeting(_ context: PageContext, data: Greeting) async throws -> some View {
        List(0..<data.times) { number in
            Row("Hello \(data.name)").key(number).side(.call("greet", ["id": Payload(number)]))
        }
    }

    @PageModule("fixture.isHome")
    func isHome(_ context: PageContext) -> Bool { context.page == "home" }

    @Selector func greet(id: Int) -> String { "greeted \(id)" }
}

/// A page that a component brings along, for tests.
@LinkClass("FixturePages", provides: (any PageSource).self)
final class FixturePages: PageSource {
    func pages() throws -> [PageFile] {
        [PageFile(name: "fixture.json", text: #"{"page": "fixture", "sections": [{"module": "fixture.place"}]}"#)]
    }
}
