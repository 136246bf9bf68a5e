import ComponentKit
import PageKit

@testable import ComponentWeb

/// What the tests of the rendering have in common.
enum WebSamples {
    /// Every component has every resource, except those named "missing".
    static let renderer = PageRenderer(
        places: WebPlaces(
            version: { _, name in name.contains("missing") ? nil : "abc" }, signature: { _, _ in "sig" },
            embedded: Set(["https://maps.example"].compactMap { WebOrigin($0) })))

    static let place = SectionPlace(page: "home", section: "s", component: "Own")

    static func html(_ view: some View, _ form: FormState? = nil) -> String {
        guard let form else { return renderer.view(view.node, in: place).text(token: "TOKEN") }
        var writer = ViewWriter(HTMLWriter(), places: renderer.places, place: place, form: form)
        writer.view(view.node, in: writer.outermost)
        return writer.out.rendered.text(token: "TOKEN")
    }

    static func element(_ view: some View, _ form: FormState? = nil) throws -> HTMLElement {
        try HTMLReader.element(html(view, form))
    }

    static func section(
        _ name: String, _ view: some View, title: String? = nil, state: SectionState = .shown,
        layout: SectionLayout = SectionLayout()
    ) -> PageSection {
        PageSection(
            name: name, module: "m", component: "Own", title: title, state: state, layout: layout, view: view.node)
    }

    static func page(_ sections: [PageSection], title: String = "Home", frame: PageSection? = nil) -> Page {
        Page(id: "home", title: title, revision: 4, frame: frame, sections: sections)
    }

    static let fields: [Field] = [
        Field("text", "A text", .text(longest: 9), value: "abc").required().help("Help"),
        Field("lines", "Lines", .lines(longest: 99), value: "\na\nb"),
        Field("password", "Password", .password).required(),
        Field("email", "Mail", .email, value: "a@b.c").problem("Taken."),
        Field("integer", "Integer", .integer(least: -2, most: 7), value: 3),
        Field("number", "Number", .number(least: 0.5, most: 2), value: 1.0),
        Field("toggle", "Toggle", .toggle, value: true).help("Help"),
        Field("date", "Day", .date, value: "2026-11-23"),
        Field(
            "choice", "Choice", .choice([FieldChoice(value: "a", title: "A"), FieldChoice(value: "b", title: "B")]),
            value: "b"),
    ]

    static let form = Form("Send", .call("send", ["id": 7], confirm: "Send it?"), title: "A form") {
        for field in fields { field }
        Text("between")
    }.side(.refresh(title: "Again"))

    /// Every kind of view, with everything that a view of this kind can have.
    static let views: [ViewNode] = [
        Text("a text", style: .body).node, Text("t", style: .title).node, Text("h", style: .heading).node,
        Text("c", style: .caption).node, Text("x = 1", style: .code).node, Text("s", style: .success).node,
        Text("w", style: .warning).node, Text("f", style: .failure).node, Text("link").action(.show(page: "a")).node,
        Image(.resource("a/b.png"), describing: "a picture").node,
        Image(.resource(name: "p.png", component: "Other"), describing: "other").action(.refresh(title: "r")).node,
        Image(.resource("missing.png"), describing: "none").node,
        Image(.url("https://example.com/a.png"), describing: "far").node,
        Image(.bytes([1, 2, 3, 4], type: "image/png"), describing: "bytes").node,
        Badge("on", .success).node, Badge("off").side(.refresh(title: "r")).node,
        Icon("home", label: "Home").node, Icon("unknown", label: "Unknown").action(.refresh()).node,
        Hyperlink("Site", to: "https://example.com/?a=b&c=d").side(.refresh(title: "r")).node,
        Hyperlink("Mail", to: "mailto:a@example.com").node,
        EmbeddedPage("Map", at: "https://maps.example/a?b=c&d").side(.refresh(title: "r")).node,
        Button("Go", .call("go", ["k": "v", "list": [1, "two", .null]], confirm: "Sure?"), role: .primary).node,
        Button("Open", .open("studio://a/b?c=d"), role: .destructive).node,
        Button("Page", .show(page: "other")).node,
        List("A list", empty: "Nothing.") {
            Row("Title", detail: "detail", badge: "3", image: .resource("i.png")) { ProgressBar("p", fraction: 0.25) }
                .key("k").action(.open("studio://r"))
                .side(.call("delete", title: "Delete", confirm: "Delete?", role: .destructive))
            Text("not a row")
        }.action(.refresh()).side(.show(page: "p", title: "More")).node,
        Row("outside", detail: "of a list").node,
        Table([TableColumn("Name"), TableColumn("Size", alignment: .trailing)]) {
            TableRow(["a", "1"]).key("a").action(.refresh()).side(.call("x", title: "X"))
            TableRow([.code("b"), .badge("2", .accent)])
        }.side(.refresh(title: "t")).node,
        Grid(columns: 3) { Stat("Calls", "12", unit: "1/s", change: "+3 %").action(.refresh()) }.node,
        Card("A card", subtitle: "sub") { Text("in it") }.action(.open("studio://c")).side(.refresh(title: "s")).node,
        Card("folded", subtitle: "sub") { Text("in it") }.folded().action(.refresh(title: "r")).side(.refresh()).node,
        Stack(.horizontal) { Text("a") }.action(.refresh(title: "stack")).node,
        Tabs {
            Tab("One") { Text("1") }
            Tab("Two") { Text("2") }.side(.refresh(title: "x"))
        }.node,
        Floating(.top, offset: 2.5) { Text("floats") }.node,
        form.node,
        ProgressBar("known", fraction: 0.5).node, ProgressBar("unknown").node,
        Chart(
            .line, title: "A chart", labels: ["a", "b"],
            [ChartSeries(name: "one", values: [1, 2]), ChartSeries(name: "two", values: [-1, 4])]
        ).node,
        Chart(.bar, title: "Bars", labels: ["a"], [ChartSeries(name: "one", values: [1])]).node,
        MediaPlayer(
            .file(path: "films/a b.mp4", component: nil), title: "film", poster: .resource("p.png"), duration: 75
        )
        .node,
        MediaPlayer(.resource(name: "a.mp3", component: "Other"), title: "sound").node,
        MediaPlayer(.url(url: "https://example.com/f.mp4"), title: "far").node,
        Placeholder("wait", isLoading: true).node, Placeholder("none").node,
        Failure("broken", advice: "repair").node,
        PageFrame(title: "Frame") { Button("a", .show(page: "a")) }.header { Text("h") }.footer { Text("f") }.node,
    ]
}
