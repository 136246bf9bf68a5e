import ComponentHost
import Foundation
import TestSupport
import Testing

@testable import ComponentWeb

/// NightUI, in Tests/Fixtures, is another component in the place of NXUI.
@Suite("The look of pages is that of the component that is there", .enabled(if: WebPlace.isComplete))
struct LookExchangeTests {
    let place: WebPlace

    init() throws { place = try WebPlace() }

    private static let night = ["EMAccount", "NightUI"]

    /// The version of the look in the address of the style sheet that a page names; nil for our own look.
    private func version(_ web: WebHost, _ cookie: String) async throws -> String? {
        try await web.ask("GET", "/pages/account", ["Cookie": cookie]).between("/look.css?v=", "\"")
    }

    /// The style sheet with the look that a page has, sooner or later: on a busy machine, a component may take longer to
    /// be loaded than a page waits.
    private func sheet(_ web: WebHost, _ cookie: String, with text: String) async throws -> HTTPAnswer {
        var answer: HTTPAnswer?
        let isThere = await holds(within: .seconds(60)) {
            guard let version = try await version(web, cookie) else { return false }
            answer = try await web.ask("GET", "/look.css?v=\(version)")
            return answer?.text.contains(text) == true
        }
        #expect(isThere)
        return try #require(answer)
    }

    @Test("and changes, with its address, when that is exchanged, also for pages that are kept")
    func exchange() async throws {
        try await place.withWeb(others: ["EMAccount"], movable: ["NXUI"]) { web in
            let cookie = try await web.newCookie()
            let first = try await sheet(web, cookie, with: "--accent: #1F5FBF")
            #expect(first.headers["content-type"] == "text/css; charset=utf-8")
            #expect(first.headers["cache-control"]?.contains("immutable") == true)
            #expect(first.headers["content-security-policy"]?.contains("style-src 'self'") == true)
            let tag = try #require(first.headers["etag"])
            #expect(try await web.ask("GET", "/look.css", ["If-None-Match": tag]).status == 304)
            #expect(try await web.ask("GET", "/look.css?v=other").headers["cache-control"] == "no-cache")

            // What is in memory goes on until another one is there.
            try web.plugins.delete("libNXUI.so")
            web.host.rescan()
            _ = try await sheet(web, cookie, with: "--accent: #1F5FBF")
            try web.plugins.add("NightUI")
            web.host.rescan()
            let second = try await sheet(web, cookie, with: "--accent: #7A1FA2")
            #expect(second.headers["etag"] != tag)
            // Who has the former address receives what counts now, and does not keep it.
            let former = try await web.ask("GET", "/look.css?v=\(tag.dropFirst().dropLast())")
            #expect(former.text == second.text && former.headers["cache-control"] == "no-cache")
        }
    }

    @Test("with its icons, and is there before anyone has signed in")
    func icons() async throws {
        let hash = try PasswordDigest(of: "correct horse").description
        try await place.withWeb(#""password": "\#(hash)""#, others: Self.night) { web in
            var signIn: HTTPAnswer?
            let isThere = await holds(within: .seconds(60)) {
                signIn = try await web.ask("GET", "/sign-in")
                return signIn?.text.contains("/look.css?v=") == true
            }
            #expect(isThere)
            let version = try #require(signIn?.between("/look.css?v=", "\""))
            #expect(try await web.ask("GET", "/look.css?v=\(version)").status == 200)
        }
        // Its data is none that the module takes, so the section fails.
        try place.write(page: "odd", #"{"module": "account.card", "data": 1}"#)
        try await place.withWeb(others: Self.night) { web in
            let hasIcon = await holds(within: .seconds(60)) {
                try await web.ask("GET", "/pages/odd").text.contains(#"<path d="M4 1v4" stroke="currentColor"/>"#)
            }
            #expect(hasIcon)
        }
    }

    /// What a component may say that makes its look useless, as the configuration of NightUI.
    static let refused = [
        ##"{"accent": "red"}"##, ##"{"accent": "#7A1FA2;}body{display:none}"}"##, ##"{"accent": "#7A1FA2</style>"}"##,
        #"{"icon": "<svg onload=alert(1)>"}"#, #"{"icon": "<script>alert(1)</script>"}"#,
    ]

    @Test("but our own if theirs is refused, and pages work", arguments: refused)
    func ownLook(options: String) async throws {
        try await place.withWeb(others: Self.night, settings: #""NightUI": \#(options)"#) { web in
            let cookie = try await web.newCookie()
            // The component has been asked, and its answer has come.
            let isAsked = await holds(within: .seconds(60)) {
                _ = try await version(web, cookie)
                let counters = web.host.counters.first { $0.className == "NightLink" && $0.selector == "look" }
                return counters?.counters.inFlight == 0 && counters?.counters.calls ?? 0 > 0
            }
            #expect(isAsked)
            for _ in 0..<3 {
                let page = try await web.ask("GET", "/pages/account", ["Cookie": cookie])
                #expect(page.status == 200)
                #expect(!page.text.contains("look.css") && !page.text.contains("alert(1)"))
                #expect(page.text.contains("/resources/ComponentWeb/web/page.css?v="))
            }
            #expect(try await web.ask("GET", "/look.css").status == 404)
        }
    }
}
