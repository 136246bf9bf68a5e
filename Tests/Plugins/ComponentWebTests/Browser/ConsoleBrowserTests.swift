import ComponentHost
import Foundation
import TestSupport
import Testing

@testable import ComponentWeb

@Suite("The console in a real browser", .serialized, .enabled(if: WebPlace.hasConsole))
struct ConsoleBrowserTests {
    let place: WebPlace

    init() throws { place = try WebPlace() }

    /// - Parameter interval: how many seconds the console waits before it looks for changes again.
    private func withConsole(
        _ count: Int = 1, width: Int = 1100, calls: Bool = true, interval: Double = 0.2, movable: Set<String> = [],
        body: (WebHost, [Browser]) async throws -> Void
    ) async throws {
        try await place.withBrowsers(
            count, width: width, others: WebPlace.others + ["ComponentConsole"], movable: movable,
            settings: #""ComponentConsole": {"calls": \#(calls), "changes": true, "interval": \#(interval)}"#,
            body: body)
    }

    private func section(_ name: String) -> String { "[data-section=\"console.\(name)\"]" }

    @Test("calls a method with a form, shows the answer, and only to who has called")
    func calling() async throws {
        try await withConsole(2) { web, browsers in
            let (browser, other) = (browsers[0], browsers[1])
            try await browser.go("\(web.url)/console")
            // Everybody finds the way by what is written, not by an address.
            try await browser.clickLink("ComponentOwner")
            try await other.go("\(web.url)/pages/console.ComponentOwner")
            let call = section("component.call")
            // Nothing else is needed to see the form of the method.
            try await browser.choose("OwnerPages.addAddress", in: "\(call) [name=\"field.method\"]")
            #expect(await browser.has(1, "\(call) [name=\"field.street\"]"))
            for (field, text) in [("label", "Cottage"), ("street", "Street 1")] {
                try await browser.type(text, into: "\(call) [name=\"field.\(field)\"]")
            }
            // The browser itself does not let a field stay empty that the method needs.
            try await browser.click("\(call) button[value*=perform]")
            #expect(try await browser.run("return document.activeElement.name") as? String == "field.city")
            try await browser.type("Delft", into: "\(call) [name=\"field.city\"]")
            try await browser.click("\(call) button[value*=perform]")
            #expect(await browser.shows("OwnerPages.addAddress", in: "\(call) .card"))
            #expect(await browser.shows("null", in: call))
            // What was filled in is still there, to be called again.
            let city = try await browser.run(
                "return document.querySelector(arguments[0]).value", ["\(call) [name=\"field.city\"]"])
            #expect(city as? String == "Delft")
            try await browser.choose("OwnerLink.addresses", in: "\(call) [name=\"field.method\"]")
            #expect(await browser.has(0, "\(call) [name=\"field.street\"]"))
            try await browser.click("\(call) button[value*=perform]")
            #expect(await browser.shows("Cottage", in: call))
            #expect(await browser.shows("OwnerPages.addAddress", in: section("component.counters")))
            #expect(try await other.text("body")?.contains("Cottage") == false)
        }
    }

    @Test("shows that a component is taken out and put back while it is open")
    func following() async throws {
        try await withConsole(movable: ["ComponentVideo"]) { web, browsers in
            let overview = browsers[0]
            try await overview.go("\(web.url)/pages/console")
            #expect(await overview.shows("ComponentVideo", in: section("components")))
            let (file, away) = (web.plugins.file("libComponentVideo.so"), place.directory.path(of: "away.so"))
            try FileManager.default.moveItem(atPath: file, toPath: away)
            try await overview.click("\(section("components")) button[value*=rescan]")
            // It answers calls in memory, but will be missed at the next start.
            #expect(await overview.shows("running, its file is gone", in: section("components")))
            try FileManager.default.moveItem(atPath: away, toPath: file)
            web.host.rescan()
            let isBack = await holds(within: .seconds(60)) {
                try await overview.text(section("components"))?.contains("gone") == false
            }
            #expect(isBack)
        }
    }

    @Test("says where a URL leads")
    func explaining() async throws {
        try await withConsole { web, browsers in
            let browser = browsers[0]
            try await browser.go("\(web.url)/pages/console.routes")
            let explain = section("routes.explain")
            try await browser.type("studio://film/clip.mp4", into: "\(explain) [name=\"field.url\"]")
            try await browser.click("\(explain) button[type=submit]")
            #expect(await browser.shows("It opens VideoLink.film", in: explain))
        }
    }

    @Test("nothing is wider than a phone, and everything has a name and enough contrast", arguments: [390, 1100])
    func widths(width: Int) async throws {
        // A page that stays as it is while all of it is looked at.
        try await withConsole(width: width, interval: 60) { web, browsers in
            let browser = browsers[0]
            for page in [
                "console", "console.ComponentOwner", "console.routes", "console.events", "console.log",
                "console.counters", "console.times",
            ] {
                try await browser.go("\(web.url)/pages/\(page)")
                await browser.settles()
                try await browser.expectAccessible(page)
            }
        }
    }
}
