import ComponentKit
import Observation
import PageKit

/// What a test says to its modules.
@Model
struct Script: Sendable {
    /// The name of what ``TestModules/values`` holds.
    var key: String = ""
    var count: Int = 0
    var kind: ScriptKind?
}

@Model
enum ScriptKind: String, Sendable { case plain, fancy }

/// Page modules of the test program.
@LinkClass("TestModules")
final class TestModules {
    /// The titles of rows, by the keys of scripts, which are different for each test.
    static let values = Lock<[String: [String]]>([:])
    /// How often each module was asked, by the keys of scripts, and the slow condition, by the ids of pages.
    static let questions = Lock<[String: Int]>([:])

    private let link: Link

    init(_ context: ComponentContext) { link = context.link }

    @PageModule("test.text")
    func text(_ context: PageContext) -> some View {
        Text("\(context.section) on \(context.page), \(context.title ?? "no title")")
    }

    @PageModule("test.rows")
    func rows(_ context: PageContext, data: Script) -> some View {
        TestModules.questions.withLock { $0[data.key, default: 0] += 1 }
        let titles = TestModules.values.withLock { $0[data.key] ?? [] }
        return List(titles) { title in
            Row(title).key(title).side(
                .call("remove", ["key": data.key.payload, "title": title.payload], title: "Remove"))
        }
    }

    /// Ten rows in parts of three.
    @PageModule("test.parts")
    func parts(_ context: PageContext, data: Script) -> some View {
        let part = context.part(of: 10, size: 3)
        return List(0..<part.count) { Row("\(data.key)\($0)").key($0) }.side(part.more)
    }

    /// Answers once the test has given it more than one title.
    @PageModule("test.slow-rows")
    func slowRows(_ context: PageContext, data: Script) async throws -> some View {
        func titles() -> Int { TestModules.values.withLock { $0[data.key]?.count ?? 0 } }
        while titles() < 2 { try await Task.sleep(for: .milliseconds(5)) }
        return rows(context, data: data)
    }

    @Selector func remove(key: String, title: String) -> String {
        TestModules.values.withLock { $0[key]?.removeAll { $0 == title } }
        return "removed \(title)"
    }

    @PageModule("test.form")
    func form(_ context: PageContext, data: Script) -> some View {
        Form("Add", .call("add", ["key": data.key.payload])) {
            Field("title", "Title", .text(longest: 10)).required()
            Field("times", "Times", .integer(least: 1, most: 3))
        }
    }

    @Selector func add(key: String, title: String, times: Int?) throws -> Int {
        if title == "taken" { throw PageError.invalidValue(field: "title", reason: "Choose another one.") }
        if title == "told" { throw PageError.actionFailed(message: "exact", forPeople: "Not now.") }
        if title == "no" { throw LinkError(domain: "test", number: 1, message: "not this one") }
        return TestModules.values.withLock { values in
            values[key, default: []] += Array(repeating: title, count: times ?? 1)
            return values[key]?.count ?? 0
        }
    }

    @PageModule("test.actions")
    func actions(_ context: PageContext, data: Script) -> some View {
        Stack {
            Button("Next", .show(page: "next"))
            Button("Open", .open("test://shout?text=hello"))
            Button("Again", .refresh())
            Button("Fail", .call("add", ["key": data.key.payload, "title": "no"]))
            Button("Lost", .open("nowhere://"))
        }
    }

    @PageModule("test.accent")
    func accent(_ context: PageContext) -> some View { Button("Open", .open("test://shout?text=h\u{E9}")) }

    @Route("test://shout")
    func shout(text: String) -> String { text.uppercased() }

    @PageModule("test.frame")
    func frame(_ context: PageContext) -> some View {
        PageFrame(title: "Framed \(context.page)") {
            Button("Home", .show(page: "home")).side(.call("shout", ["text": "oslo"], title: "Choose a city"))
        }
        .footer { Text("the end") }
    }

    @PageModule("test.other-frame")
    func otherFrame(_ context: PageContext) -> some View { PageFrame { Text("another") } }

    @PageModule("test.navigation")
    func navigation(_ context: PageContext) async throws -> some View {
        let navigation = try await link.service(PageServiceClient.self).navigation(from: context.page)
        return PageFrame { for page in navigation.pages { Button(page.title, .show(page: page.id)).key(page.id) } }
    }

    /// Whether what the test says holds.
    @PageModule("test.condition")
    func condition(_ context: PageContext) async throws -> Bool {
        TestModules.values.withLock { $0[context.page] == ["yes"] }
    }

    /// Answers once the test says something, as the test says.
    @PageModule("test.slow-condition")
    func slowCondition(_ context: PageContext) async throws -> Bool {
        TestModules.questions.withLock { $0[context.page, default: 0] += 1 }
        while TestModules.values.withLock({ $0[context.page] }) == nil { try await Task.sleep(for: .milliseconds(5)) }
        let answer = TestModules.values.withLock { $0[context.page] }
        if answer == ["throws"] { throw LinkError(domain: "test", number: 1, message: "no answer") }
        return answer == ["yes"]
    }

    @PageModule("test.slow")
    func slow(_ context: PageContext, data: Script) async throws -> some View {
        try await Task.sleep(for: .milliseconds(data.count))
        return Text("at last")
    }

    @PageModule("test.throws")
    func failing(_ context: PageContext) throws -> some View {
        if context.page.isEmpty { return Text("never") }
        throw LinkError(domain: "test", number: 1, message: "no \u{1B}[31mview")
    }

    @PageModule("test.hangs")
    func hanging(_ context: PageContext) async throws -> some View {
        try await Task.sleep(for: .seconds(3600))
        return Text("never")
    }

    @PageModule("test.same-keys")
    func sameKeys(_ context: PageContext) -> some View {
        List {
            Row("one").key("a")
            Row("two").key("a")
        }
    }

    @PageModule("test.control")
    func control(_ context: PageContext) -> some View { Text("\u{1B}[2J") }

    @PageModule("test.large")
    func large(_ context: PageContext) -> some View { Text(String(repeating: "x", count: 5 << 20)) }

    /// A view with as many actions as it may have.
    @PageModule("test.heavy")
    func heavy(_ context: PageContext) -> some View {
        var view = Text("heavy")
        view.node.sideActions = [Action](repeating: .refresh(), count: 33_000)
        return view
    }

    @PageModule("test.many")
    func many(_ context: PageContext) -> some View { List(0..<20_000) { Row("\($0)").key($0) } }

    @PageModule("test.nested")
    func nested(_ context: PageContext) -> some View {
        var view = Text("inside").node
        for _ in 0..<26 { view = Stack { view }.node }
        return view
    }
}

/// Page modules whose answers depend on the session.
@LinkClass("SessionModules")
final class SessionModules {
    /// The sessions in which the condition holds.
    static let holding = Lock<Set<String>>([])
    /// In how many sessions each module was asked, by keys.
    static let questions = Lock<[String: Int]>([:])

    init(_ context: ComponentContext) {}

    @PageModule("test.session")
    func session(_ context: PageContext, data: Script) async -> some View {
        SessionModules.questions.withLock { $0[data.key, default: 0] += 1 }
        await Task.yield()
        let id = Session.current?.id ?? "none"
        return Stack {
            Text(TestModules.values.withLock { $0["session \(id)"]?.first } ?? id)
            Button("Name", .call("name", ["id": id.payload]))
        }
    }

    /// Returns the session, to whom it shows its id.
    @Selector func name(id: String) async throws -> String {
        await Task.yield()
        let own = Session.current?.id ?? "none"
        guard id == own else { throw LinkError(domain: "test", number: 1, message: "the button of \(id)") }
        return own
    }

    @PageModule("test.session-holds")
    func holds(_ context: PageContext) async -> Bool {
        await Task.yield()
        return SessionModules.holding.withLock { $0.contains(Session.current?.id ?? "none") }
    }
}

/// A view model.
@Observable
final class Weather {
    var sky = "clear"
    var wind = 0
}

/// A page module with a view model, which belongs to its actor.
@LinkClass("ObservedModules")
actor ObservedModules {
    private let weather = Weather()
    private let events: Events

    init(_ context: ComponentContext) { events = context.events }

    @PageModule("test.observed")
    func sky(_ context: PageContext) -> some View {
        TestModules.questions.withLock { $0["observed-\(context.page)", default: 0] += 1 }
        return context.observing(events) { Text(weather.sky) }
    }

    @Selector func change(sky: String?, wind: Int?) {
        if let sky { weather.sky = sky }
        if let wind { weather.wind = wind }
    }
}
