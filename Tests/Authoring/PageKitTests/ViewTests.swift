import ComponentKit
import PageKit
import Testing

@Suite("Views")
struct ViewTests {
    private struct Address: Sendable {
        let id: Int
        let label: String
        let city: String?
    }

    @Test("a function makes a view from others, with rows for items and for conditions")
    func building() {
        func view(of addresses: [Address], isEditing: Bool) -> some View {
            Card("Addresses") {
                List(addresses, empty: "No addresses yet.") { address in
                    Row(address.label, detail: address.city)
                        .key(address.id)
                        .action(.open("studio://owner/address/\(address.id)"))
                        .side(.call("delete", ["id": Payload(address.id)], title: "Delete", confirm: "Delete?"))
                }
                if isEditing { Button("Done", .refresh()) } else { Text("Read only", style: .caption) }
                for number in 0..<2 { Text("\(number)") }
            }
        }
        let node = view(of: [Address(id: 7, label: "Home", city: nil)], isEditing: true).node
        #expect(node.content == .card(CardContent(title: "Addresses")))
        #expect(node.children.map(\.content.kind) == ["list", "button", "text", "text"])
        let row = node.children[0].children[0]
        #expect(row.content == .row(RowContent(title: "Home")))
        #expect(row.key == "7")
        #expect(row.action?.effect == .open(url: "studio://owner/address/7"))
        #expect(row.sideActions.map(\.confirmation) == ["Delete?"])
        #expect(row.sideActions.map(\.effect) == [.call(selector: "delete", parameters: ["id": 7])])
        #expect(view(of: [], isEditing: false).node.children[1].content.kind == "text")
    }

    @Test("every kind of view travels, and passes the check", arguments: AllKinds.views)
    func travels(view: ViewNode) throws {
        try view.check()
        #expect(try view.payload.value() == view)
        let json = try view.payload.json()
        #expect(try Payload(json: json).value() == view)
    }

    @Test("what an older component sends lacks fields, and what a newer one sends has more")
    func versions() throws {
        func read<Value: PayloadConvertible>(_ json: String) throws -> Value { try Payload(json: json).value() }
        #expect(try read(#"{"title": "a"}"#) == CardContent(title: "a"))
        let link = HyperlinkContent(title: "a", url: "https://a.example")
        #expect(try read(#"{"title": "a", "url": "https://a.example"}"#) == link)
        #expect(try read(#"{"effect": "refresh"}"#) == Action.refresh())
        #expect(try read(#"{"columns": 2, "inset": 0, "isFolded": true}"#) == SectionLayout(columns: 2, isFolded: true))
        #expect(try read(#"{"page": "p", "section": "s", "later": [1]}"#) == PageContext(page: "p", section: "s"))
    }

    @Test("the examples have every kind")
    func all() {
        var kinds: Set<String> = []
        func visit(_ node: ViewNode) {
            kinds.insert(node.content.kind)
            node.children.forEach(visit)
        }
        AllKinds.views.forEach(visit)
        #expect(kinds.count == 23)
    }
}

/// Views of all kinds.
enum AllKinds {
    static let views: [ViewNode] = [
        Text("Hello\nworld", style: .warning).node,
        Image(.resource("portrait.png"), describing: "a portrait").node,
        Image(.bytes([1, 2, 3], type: "image/png"), describing: "").action(.show(page: "home", title: "Home")).node,
        Icon("star", label: "favourite").node,
        Hyperlink("Swift", to: "https://swift.org").node,
        EmbeddedPage("A map", at: "https://maps.example/?q=Oslo").node,
        Button("Sign out", .call("signOut", confirm: "Really?"), role: .destructive).node,
        List("Companies", empty: "None.") {
            Row("A", detail: "b", badge: "3", image: .url("https://example.com/a.png")).key("a")
            Row("B") { ProgressBar("half", fraction: 0.5) }
        }.node,
        Table(["Name", .init("Size", alignment: .trailing)]) { TableRow(["a", "1"]).key("a") }.node,
        Grid(columns: 3) {
            Stat("Calls", "12", unit: "per second", change: "+3 %")
            Stack(.horizontal) { Text("x") }
        }.node,
        Tabs {
            Tab("One") { Card("c", subtitle: "s") { Text("y") }.folded() }
            Tab("Two") { Placeholder("…", isLoading: true) }
        }.node,
        Floating(.top, offset: 2) { Failure("broken", advice: "wait") }.node,
        Form("Save", .call("save"), title: "All fields") {
            Field("text", "Text", .text).required().help("any").problem("wrong")
            Field("lines", "Lines", .lines(longest: 9), value: "a\nb")
            Field("password", "Password", .password)
            Field("email", "E-mail", .email)
            Field("integer", "Integer", .integer(least: -1, most: 9), value: 3)
            Field("number", "Number", .number(least: 0, most: 1), value: 0.5)
            Field("toggle", "Toggle", .toggle, value: true)
            Field("date", "Date", .date, value: "2026-11-23")
            Field("choice", "Choice", .choice([FieldChoice(value: "a", title: "A")]))
        }.node,
        Chart(.line, title: "Sales", labels: ["Mon", "Tue"], [ChartSeries(name: "Books", values: [3, 5.5])]).node,
        MediaPlayer(.file(path: "a.mp4", component: "ComponentVideo"), title: "A film", duration: 12).node,
    ]
}
