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
                        .side(
                            .call(
                                "delete", ["id": Payload(address.id)], title: "Delete", confirm: "Delete?",
                                role: .destructive))
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
        #expect(row.sideActions.map(\.confirmation) == ["Delete?"] && row.sideActions.map(\.role) == [.destructive])
        #expect(row.sideActions.map(\.effect) == [.call(selector: "delete", parameters: ["id": 7])])
        #expect(view(of: [], isEditing: false).node.children[1].content.kind == "text")
    }

    @Test("a row may be marked as the one that is shown")
    func current() {
        let contents = [true, false].map { Row("a").current($0).node.content }
        #expect(contents == [.row(RowContent(title: "a", isCurrent: true)), .row(RowContent(title: "a"))])
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
        #expect(try read(#"{"title": "a", "badge": "b"}"#) == RowContent(title: "a", badge: "b", tone: .neutral))
        #expect(try read(#"{"label": "a", "value": "1"}"#) == StatContent(label: "a", value: "1", tone: .neutral))
        #expect(try read(#"{"cells": ["a"]}"#) == TableRowContent(cells: ["a"], styles: []))
        #expect(try read(#"{"columns": 2, "inset": 0, "isFolded": true}"#) == SectionLayout(columns: 2, isFolded: true))
        #expect(try read(#"{"page": "p", "section": "s", "later": [1]}"#) == PageContext(page: "p", section: "s"))
    }

    @Test("cells are texts with styles, and have none if all are ordinary")
    func cells() {
        func content(_ row: TableRow) -> ViewContent { row.node.content }
        let count = 3
        #expect(content(TableRow(["a", "\(count)"])) == .tableRow(TableRowContent(cells: ["a", "3"])))
        let plain: [TableCell] = ["a", "\(count)"]
        #expect(content(TableRow(plain)) == .tableRow(TableRowContent(cells: ["a", "3"])))
        let time = Timestamp(seconds: 1_767_323_045, nanoseconds: 6_999_999)
        #expect(
            content(TableRow([.code("Zoo.feed"), "\(count)", .badge("failed", .failure), .time(time), .badge("idle")]))
                == .tableRow(
                    TableRowContent(
                        cells: ["Zoo.feed", "3", "failed", "2026-01-02T03:04:05.006Z", "idle"],
                        styles: [.code, .plain, .badge(tone: .failure), .time, .badge(tone: .neutral)])))
        // RFC 3339 has no years beyond 9999.
        #expect(TableCell.time(Timestamp(seconds: 1 << 50)) == "–")
    }

    @Test("the examples have every kind")
    func all() {
        var kinds: Set<String> = []
        func visit(_ node: ViewNode) {
            kinds.insert(node.content.kind)
            node.children.forEach(visit)
        }
        AllKinds.views.forEach(visit)
        #expect(kinds.count == 24)
    }
}

/// Views of all kinds.
enum AllKinds {
    static let views: [ViewNode] = [
        Text("Hello\nworld", style: .warning).node,
        Badge("running", .success).node,
        Image(.resource("portrait.png"), describing: "a portrait").node,
        Image(.bytes([1, 2, 3], type: "image/png"), describing: "").action(.show(page: "home", title: "Home")).node,
        Icon("star", label: "favourite").node,
        Hyperlink("Swift", to: "https://swift.org").node,
        EmbeddedPage("A map", at: "https://maps.example/?q=Oslo").node,
        Button("Sign out", .call("signOut", confirm: "Really?"), role: .destructive).node,
        List("Companies", empty: "None.") {
            Row("A", detail: "b", badge: "3", tone: .accent, image: .url("https://example.com/a.png")).key("a")
            Row("B") { ProgressBar("half", fraction: 0.5) }
        }.node,
        Table(["Name", .init("Size", alignment: .trailing)]) {
            TableRow(["a", "1"]).key("a")
            TableRow([.code("b"), .badge("none", .warning)]).side(.call("x", title: "X", role: .destructive))
        }.node,
        Grid(columns: 3) {
            Stat("Calls", "12", unit: "per second", change: "+3 %", tone: .failure)
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
