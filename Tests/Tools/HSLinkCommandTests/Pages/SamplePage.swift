import ComponentKit
import PageKit
import Testing

@testable import hslink

/// Pages for tests.
enum SamplePage {
    /// A page with one section.
    static func of(_ view: ViewNode) -> Page {
        Page(
            id: "sample", title: "Sample", revision: 1,
            sections: [
                PageSection(
                    name: "main", module: "sample.main", title: "Main", state: .shown, layout: SectionLayout(),
                    view: view)
            ])
    }

    static func text(width: Int? = nil, hasColor: Bool = false, hidesActions: Bool = false) -> PageText {
        let commands = PageCommands(page: "sample", options: ["--host", "sock"])
        return PageText(
            terminal: Terminal(width: width, hasColor: hasColor), commands: hidesActions ? nil : commands)
    }
}

/// A view for a test, which the log of the tests shows by its kind.
struct SampleView: Sendable, CustomTestStringConvertible {
    let node: ViewNode
    var testDescription: String { node.content.kind }
}

/// Views of all kinds.
enum SampleViews {
    static let samples = all.map { SampleView(node: $0) }

    static let all: [ViewNode] = [
        Text("A text that is so long that it needs several lines on most terminals.\n\nAnd a second one.").node,
        Text("Title of some length", style: .title).node,
        Text("func f() { print(\"a long line\") }", style: .code).node,
        Text("Be careful with this", style: .warning).node,
        Badge("a state in some words", .warning).node,
        Image(.resource("portrait.png"), describing: "a portrait of a smiling woman").node,
        Image(.bytes([1, 2, 3], type: "image/png"), describing: "").action(.show(page: "home", title: "Home")).node,
        Icon("star", label: "favourite").node, Hyperlink("Swift", to: "https://swift.org/documentation").node,
        Button("Sign out", .call("signOut", ["everywhere": true], confirm: "Really?"), role: .destructive).node,
        List("Companies", empty: "None.") {
            Row("A company", detail: "with a detail", badge: "3", image: .url("https://example.com/a.png")).key("a")
                .action(.open("studio://owner/company/a?x=1&y=2"))
                .side(.call("delete", ["id": "a"], title: "Delete", confirm: "Delete?"))
            Row("Another company with a long name") { ProgressBar("half", fraction: 0.5) }
        }.node,
        List("None", empty: "There is nothing to show here.") {}.node,
        Table(["Name", .init("Size", alignment: .trailing), "A column with a long title"]) {
            TableRow(["a", "1", "text\nwith lines"]).key("a").action(.call("open", ["id": "a"]))
            TableRow(["a longer name", "12,345", ""]).key("b")
        }.node,
        Table((0..<12).map { TableColumn("Column \($0)") }) {
            TableRow((0..<12).map { "cell \($0)" })
        }.node,
        Table(["State", "Method", "Since", "Reason"]) {
            TableRow([.badge("running", .success), .code("Zoo.feed"), .time(Timestamp(seconds: 0)), "–"])
            TableRow([.badge("failed", .failure), .code("Zoo.openTheGateOfTheZoo"), "", ""]).key("b")
        }.node,
        Grid(columns: 3) {
            Stat("Calls", "12", unit: "per second", change: "+3 %")
            Card("A card", subtitle: "in a grid") { Text("with text that is wrapped") }
            Stack(.horizontal) { [Text("one"), Text("two"), Text("three")] }
        }.node,
        Tabs {
            Tab("One") { Card("c", subtitle: "s") { Text("y") } }
            Tab("Two") { Placeholder("…", isLoading: true) }
        }.node,
        Floating(.top, offset: 2) { Failure("it is broken", advice: "wait until tomorrow") }.node,
        Form("Save", .call("save"), title: "All fields") {
            Field("text", "Text", .text).required().help("any text that you like").problem("this is wrong")
            Field("lines", "Lines", .lines(longest: 9), value: "a\nb")
            Field("password", "Password", .password)
            Field("email", "E-mail", .email)
            Field("integer", "Integer", .integer(least: -1, most: 9), value: 3)
            Field("number", "Number", .number(least: 0, most: 1), value: 0.5)
            Field("toggle", "Toggle", .toggle, value: true)
            Field("date", "Date", .date, value: "2026-11-23")
            Field("choice", "Choice", .choice([FieldChoice(value: "a", title: "A")]))
        }.node,
        Chart(
            .line, title: "Temperature in the house", labels: (0..<100).map { "\($0) h" },
            [ChartSeries(name: "cellar", values: (0..<100).map { Double($0 % 17) })]
        ).node,
        Chart(
            .bar, title: "Sales", labels: ["Monday", "Tuesday"],
            [ChartSeries(name: "Books", values: [3, 5.5]), ChartSeries(name: "Other things", values: [-3, 1e300])]
        ).node,
        Chart(.bar, title: "Nothing", labels: [], []).node,
        MediaPlayer(.file(path: "a.mp4", component: "ComponentVideo"), title: "A film", duration: 12).node,
        PageFrame(title: "Welcome") {
            [Button("Home", .show(page: "home")), Button("Sign out", .call("signOut"))]
        }.header { Text("Header") }.footer { Text("Footer") }.node,
    ]

    /// A view in which everything that a component can say is this text.
    static func hostile(_ text: String) -> ViewNode {
        Stack {
            for style in TextStyle.allCases { Text(text, style: style) }
            Badge(text, .failure)
            Image(.resource(text), describing: text).side(.open(text, title: text))
            Icon(text, label: text)
            Hyperlink(text, to: text)
            Button(text, .call(text, [text: Payload(text)], title: text))
            List(text, empty: text) {
                Row(text, detail: text, badge: text).key(text).action(.call(text, ["id": Payload(text)], title: text))
            }
            List(text, empty: text) {}
            Table([TableColumn(text), TableColumn(text, alignment: .trailing)]) {
                TableRow([.code(text), .badge(text)])
            }
            Grid(columns: 2) { [Text(text), Text(text)] }
            Card(text, subtitle: text) { Stack(.horizontal) { [Text(text), Text(text)] } }
            Tabs { Tab(text) { Text(text) } }
            Form(text, .call(text), title: text) {
                Field(text, text, .text, value: Payload(text)).required().help(text).problem(text)
                Field("x", text, .choice([FieldChoice(value: text, title: text)]), value: Payload(text))
            }
            ProgressBar(text, fraction: 0.3)
            Stat(text, text, unit: text, change: text)
            Chart(.bar, title: text, labels: [text], [ChartSeries(name: text, values: [1])])
            Chart(.line, title: text, labels: [text, text], [ChartSeries(name: text, values: [1, 2])])
            MediaPlayer(.file(path: text, component: text), title: text)
            Placeholder(text)
            Failure(text, advice: text)
        }.node
    }
}
