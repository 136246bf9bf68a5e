import ComponentKit
import PageKit

/// The data of a page module, for tests.
@Model
struct Greeting: Sendable {
    var name: String
    var times: Int = 1
}

/// What a section asks `WhoseLink`, or a method that makes a call of its own.
@Model
struct WhoseQuestion: Sendable {
    var selector: String
    /// How long the answer may take, if there is a limit.
    var seconds: Double?
}

/// Page modules, for tests.
@LinkClass
final class PageLink {
    private let link: Link

    init(_ context: ComponentContext) { link = context.link }

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

    @PageModule("fixture.whose")
    func whose(_ context: PageContext, data: WhoseQuestion) async throws -> some View {
        let answer = try await link.call("WhoseLink", data.selector)
        // Asks once more, since another person's request may have answered.
        return Text("\(answer), then \(try await link.call("WhoseLink", "nowQuick").string())")
    }

    @Selector func greet(id: Int) -> String { "greeted \(id)" }
}

/// A page that a component brings along, for tests.
@LinkClass("FixturePages", provides: (any PageSource).self)
final class FixturePages: PageSource {
    /// Whether those who ask for the pages have to wait.
    private let isHeld = Lock(false)

    private let asked = Lock(0)

    func pages() async throws -> [PageFile] {
        asked.withLock { $0 += 1 }
        while isHeld.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
        let text = #"{"page": "fixture", "sections": [{"module": "fixture.place"}]}"#
        return [PageFile(name: "fixture.json", text: text)]
    }

    /// Keeps those who ask for the pages waiting, or lets them go.
    @Selector func hold(isHeld: Bool) { self.isHeld.withLock { $0 = isHeld } }

    /// How often the pages have been asked for.
    @Selector func questions() -> Int { asked.withLock { $0 } }
}
