import ComponentKit
import PageKit
import Testing

@testable import ComponentWeb

@Suite("Views in HTML")
struct ViewKindTests {
    @Test("every kind of view is one element, with all its texts")
    func kinds() throws {
        var kinds: Set<String> = []
        func visit(_ node: ViewNode) {
            kinds.insert(node.content.kind)
            node.children.forEach(visit)
        }
        WebSamples.views.forEach(visit)
        #expect(kinds.count == 25)
        for view in WebSamples.views {
            let element = try WebSamples.element(view)
            #expect(element.container != nil || view.children.isEmpty)
            #expect((element.container?.children.count ?? 0) == view.children.count)
        }
    }

    private static let time = Timestamp(seconds: 1_767_323_045, nanoseconds: 6_000_000)

    static let expected: [(view: ViewNode, html: String)] = [
        (Text("a <b>").node, #"<p class="text">a &lt;b&gt;</p>"#),
        (Text("t", style: .title).node, #"<h2 class="text title">t</h2>"#),
        (Text("x", style: .code).node, #"<pre class="code"><code>x</code></pre>"#),
        (
            Button("Go", .show(page: "home")).node,
            #"<a class="button" href="/pages/home" aria-current="page">Go</a>"#
        ),
        (
            Button("Go", .refresh(), role: .destructive).node,
            #"<button class="button destructive" form="s-s" type="submit" name="action" "#
                + #"value="{&quot;effect&quot;:&quot;refresh&quot;}" data-role="destructive">Go</button>"#
        ),
        (
            Hyperlink("Site", to: "https://example.com/?a&b").node,
            #"<a class="external" rel="external noopener noreferrer" href="https://example.com/?a&amp;b">Site</a>"#
        ),
        (
            List(empty: "None.") {}.node,
            #"<div class="list"><ul role="list" data-c></ul><p class="empty">None.</p></div>"#
        ),
        (
            List(empty: "None.") { Text("a") }.node,
            #"<div class="list"><ul role="list" data-c><li class="item"><p class="text">a</p></li></ul></div>"#
        ),
        (Stack(.horizontal) { Text("a") }.node, #"<div class="stack across" data-c><p class="text">a</p></div>"#),
        (Badge("a <b>", .warning).node, #"<span class="badge tone-warning">a &lt;b&gt;</span>"#),
        (
            Stat("Failed", "3", tone: .failure).node,
            #"<p class="stat tone-failure"><span class="stat-label">Failed</span> "#
                + #"<span class="stat-value">3</span></p>"#
        ),
        (
            Table(["A", "B", "C", "D"]) { TableRow([.code("x"), .badge("on", .success), "–", .time(time)]) }.node,
            #"<div class="table"><div class="scroll" role="group" aria-label="Table" tabindex="0">"#
                + #"<table class="cards"><thead><tr><th scope="col">A</th><th scope="col">B</th>"#
                + #"<th scope="col">C</th><th scope="col">D</th></tr></thead><tbody data-c>"#
                + #"<tr><td data-label="A"><code>x</code></td>"#
                + #"<td data-label="B"><span class="badge tone-success">on</span></td>"#
                + #"<td class="blank" data-label="C">–</td>"#
                + #"<td data-label="D"><time datetime="2026-01-02T03:04:05.006Z">2026-01-02 03:04:05.006 UTC</time></td>"#
                + #"</tr></tbody></table></div></div>"#
        ),
        (Grid(columns: 99) {}.node, #"<div class="grid" data-columns="12" data-c></div>"#),
        (Floating(.bottom, offset: 7.5) {}.node, #"<div class="floating bottom" data-offset="6" data-c></div>"#),
        (Placeholder("w", isLoading: true).node, #"<p class="placeholder loading" aria-busy="true">w</p>"#),
        (
            Image(.resource("a/b.png"), describing: "seen").node,
            #"<img class="image" src="/resources/Own/a/b.png?v=abc" alt="seen" loading="lazy" decoding="async">"#
        ),
        (Image(.resource("missing"), describing: "seen").node, #"<span class="missing">seen</span>"#),
        (
            Image(.url("https://a.b/c.png"), describing: "far").node,
            #"<a class="external" rel="external noopener noreferrer" href="https://a.b/c.png">far</a>"#
        ),
        (Image(.bytes([0], type: "image/svg+xml"), describing: "no").node, #"<span class="missing">no</span>"#),
        (Icon("nothing", label: "word").node, #"<span class="icon-box">word</span>"#),
        (
            ProgressBar("p", fraction: 0.2519).node,
            #"<label class="progress"><span class="progress-text"><span>p</span> "#
                + #"<span class="caption">25 %</span></span><progress max="1000" value="251"></progress></label>"#
        ),
        (
            MediaPlayer(.file(path: "f/a b.mp4", component: nil), title: "t", duration: 3725).node,
            #"<figure class="player"><video controls preload="metadata" src="/media/Own/f/a%20b.mp4?s=sig" aria-label="t">"#
                + #"</video><figcaption>t <span class="caption">1:02:05</span></figcaption></figure>"#
        ),
        (
            MediaPlayer(.resource(name: "a.MP3", component: "C"), title: "t").node,
            #"<figure class="player"><audio controls preload="metadata" src="/resources/C/a.MP3?v=abc" "#
                + #"aria-label="t"></audio><figcaption>t</figcaption></figure>"#
        ),
    ]

    @Test("are written in few words", arguments: expected)
    func html(view: ViewNode, html: String) { #expect(WebSamples.html(view) == html) }

    @Test("say which of many equal buttons one is")
    func subjects() throws {
        let list = try WebSamples.element(
            List(["a", "b"]) { name in Row(name).side(.call("delete", ["id": name.payload], title: "Delete")) })
        #expect(list.find("button").map(\.text) == ["Delete a", "Delete b"])
    }

    @Test("mark the row whose subject is shown", arguments: [nil, .refresh(), .show(page: "x")] as [Action?])
    func current(action: Action?) throws {
        for isCurrent in [true, false] {
            var row = Row("a").current(isCurrent)
            if let action { row = row.action(action) }
            let title = try WebSamples.element(List { row }).first(".row-title")
            #expect(title?["aria-current"] == (isCurrent ? "true" : nil))
        }
    }

    @Test("fold cards that can be folded, whose titles are no buttons then")
    func folding() throws {
        for isFolded in [true, false] {
            let card = try WebSamples.element(Card("c") { Text("t") }.folded(isFolded).action(.refresh(title: "r")))
            let details = try #require(card.first("details"))
            #expect(details["open"] == (isFolded ? nil : "") && details["data-open"] == details["open"])
            #expect(details.first("summary")?.text == "c" && details.first("summary")?.first("button") == nil)
            #expect(card.find("button").map(\.text) == ["r c"])
        }
        #expect(try WebSamples.element(Card { Text("t") }.folded()).first("details") == nil)
        // A form that was refused is shown, as it would be by a person.
        let folded = Card("c") { Form("Save", .call("save")) {} }.folded()
        for (action, isOpen) in [(Action.call("save"), true), (.refresh(), false)] {
            let state = FormState(section: "s", action: action, values: [:], reason: "No.")
            let details = try WebSamples.element(folded, state).first("details")
            #expect((details?["open"] != nil) == isOpen && details?["data-open"] == nil)
        }
    }

    @Test("embed pages of allowed origins, apart from the page, and link to all others")
    func embedding() throws {
        let figure = try WebSamples.element(EmbeddedPage("A <map>", at: "https://maps.example/a?b&c", height: 10))
        let frame = try #require(figure.first("iframe"))
        #expect(frame["src"] == "https://maps.example/a?b&c" && frame["title"] == "A <map>")
        #expect(frame["sandbox"] == "allow-forms allow-scripts" && frame["referrerpolicy"] == "no-referrer")
        #expect(frame["height"] == "240" && figure.first("a")?["href"] == frame["src"])
        for url in [
            "https://maps.example.evil.example/", "https://maps.example@evil.example/", "http://maps.example/",
            "https://maps.example:444/", "https://evil.example/?https://maps.example", "https://maps.example\u{301}/",
            "https://\u{FF4D}aps.example/",
        ] {
            let link = try WebSamples.element(EmbeddedPage("x", at: url))
            #expect(link.name == "a" && link.first("iframe") == nil, "\(url)")
        }
        // What is only a link stays one.
        #expect(try WebSamples.element(Hyperlink("x", to: "https://maps.example/")).name == "a")
    }

    @Test("mark the buttons that show more of a list, which the script performs")
    func more() throws {
        let context = PageContext(page: "home", section: "s")
        let list = try WebSamples.element(
            List { Row("a").side(.refresh()) }.side(context.part(of: 300).more))
        let buttons = list.find("button")
        #expect(buttons.map { $0["data-more"] } == [nil, ""])
        #expect(buttons.last?.text == "Show more (100 left)" && buttons.last?["form"] == "s-s")
        let action: Action = try Payload(json: try #require(buttons.last?["value"])).value()
        #expect(action.parts == 2)
    }

    @Test("tables have a header with scopes, and their rows in a container of their own")
    func tables() throws {
        let table = try WebSamples.element(
            Table(["A", TableColumn("B", alignment: .trailing)]) {
                TableRow(["1", "2"]).action(.show(page: "p"))
                TableRow(["3", "4"]).side(.refresh(title: "Again"))
            })
        #expect(table.find("th").map { $0["scope"] } == ["col", "col"])
        #expect(table.find("th").map { $0["class"] } == [nil, "end"])
        #expect(table.container?.name == "tbody" && table.container?.children.count == 2)
        #expect(table.find("td").map { $0["class"] } == [nil, "end", nil, "end"])
        #expect(table.find("td").map(\.text) == ["1", "2", "3", "4Again 3"])
        #expect(table.first("td")?.first("a")?["href"] == "/pages/p")
    }

    @Test("cells that say nothing and hold nothing are marked, so that the style sheet leaves out their columns")
    func blankCells() throws {
        let table = try WebSamples.element(
            Table(["A", TableColumn("B", alignment: .trailing), "C"]) {
                TableRow(["", "–", ""]).action(.show(page: "p", title: "Show"))
                TableRow(["a", "", ""]).side(.refresh())
                TableRow(["-", "0", " "])
                TableRow([.code(""), .badge(""), .time(Self.time)])
            })
        #expect(
            table.find("td").map { $0["class"] } == [
                nil, "end blank", "blank", nil, "end blank", nil, nil, "end", nil, "blank", "end blank", nil,
            ])
        #expect(table.find("time").count == 1 && table.first(".badge") == nil)
    }

    @Test("destructive actions look so wherever they are")
    func roles() throws {
        let action = Action.call("x", title: "X", role: .destructive)
        let views = [
            Row("a").side(action).node, Card("a") {}.side(action).node, Text("a").side(action).node,
            Button("a", .call("x", role: .destructive)).node, Form("a", action) {}.node,
            Form("a", .refresh()) {}.side(action).node, Table(["a"]) { TableRow(["a"]).side(action) }.node,
        ]
        for view in views {
            let buttons = try WebSamples.element(view).find(".destructive")
            #expect(buttons.map { $0["data-role"] } == ["destructive"], "\(view)")
        }
    }

    @Test("headings follow each other without a gap")
    func headings() throws {
        let view = Stack {
            Card("card") { List("list") { Row("row") { Text("text", style: .heading) } } }
            Tabs { Tab("tab") { Form("f", .refresh(), title: "form") { Text("in", style: .title) } } }
        }
        let section = WebSamples.section("s", view, title: "section")
        let html = try HTMLReader.element(WebSamples.renderer.section(section, on: "p").text())
        let headings = html.all.filter { $0.name.count == 2 && $0.name.hasPrefix("h") }
        #expect(
            headings.map { "\($0.name) \($0.text)" } == [
                "h2 section", "h3 card", "h4 list", "h5 text", "h3 tab", "h4 form", "h5 in",
            ])
    }

    @Test("icons are drawn, and every name of an icon is a word")
    func icons() throws {
        for shape in IconShape.allCases {
            let icon = try WebSamples.element(Icon(shape.rawValue, label: "L"))
            #expect(icon.first("svg")?["aria-hidden"] == "true" && icon.text == "L")
            let data = try #require(icon.first("path")?["d"])
            #expect(data.utf8.allSatisfy { $0.isLetterOrDigit || " .-".utf8.contains($0) }, "\(shape): \(data)")
        }
        // Those that the sample components show.
        #expect(["account", "guest", "picture"].allSatisfy { IconShape(rawValue: $0) != nil })
    }

    @Test("tables are named by the title of their section, or of their chart")
    func tableNames() throws {
        let table = Table(["A"]) { TableRow(["1"]) }
        for (title, label) in [("Rows", "heading-s"), (nil, nil)] as [(String?, String?)] {
            let section = WebSamples.section("s", table, title: title)
            let html = try HTMLReader.element(WebSamples.renderer.section(section, on: "p").text())
            let place = try #require(html.first(".scroll"))
            #expect(place["aria-labelledby"] == label && place["aria-label"] == (label == nil ? "Table" : nil))
        }
        let chart = Chart(.bar, title: "Sales", labels: ["a"], [ChartSeries(name: "s", values: [1])])
        #expect(try WebSamples.element(chart).first(".scroll")?["aria-label"] == "Values of Sales")
    }
}
