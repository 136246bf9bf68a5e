import ComponentHost
import ComponentKit
import Foundation
import PageKit
import TestSupport
import Testing

@testable import ComponentWeb

@Suite("Pages in a real browser", .serialized, .enabled(if: WebPlace.isComplete))
struct BrowserTests {
    let place: WebPlace

    init() throws { place = try WebPlace() }

    /// Signs a person up, or in with another selector.
    private func signUp(
        _ name: String, _ browser: Browser, on web: WebHost, with selector: String = "signUp"
    ) async throws {
        try await browser.go("\(web.url)/pages/account")
        let form = ".form:has(button[value*=\(selector)])"
        try await browser.type(name, into: "\(form) [name=\"field.name\"]")
        try await browser.type("correct horse", into: "\(form) [name=\"field.password\"]")
        try await browser.click("\(form) button[type=submit]")
        let isShown = await browser.shows("Welcome, \(name)", in: "body")
        let text = isShown ? nil : try await browser.text("body")
        #expect(isShown, "\(text ?? "nothing is shown")")
    }

    @Test("two people sign in and out, each in a browser of their own")
    func people() async throws {
        try await place.withBrowsers(2) { web, browsers in
            try await signUp("Ada", browsers[0], on: web)
            try await signUp("Ben", browsers[1], on: web)
            let greeting = "[data-section=\"account.greeting\"]"
            try await browsers[0].go("\(web.url)/pages/home")
            #expect(await browsers[0].shows("Welcome, Ada", in: greeting))
            try await browsers[0].click("[data-section=\"account.card\"] button[type=submit]")
            #expect(await browsers[0].shows("Sign in", in: greeting))
            try await browsers[1].go("\(web.url)/pages/home")
            #expect(await browsers[1].shows("Welcome, Ben", in: greeting))
        }
    }

    private func addAddress(_ label: String, _ browser: Browser) async throws {
        let form = ".form:has([name=\"field.city\"])"
        try await browser.unfold("\(form) [name=\"field.label\"]")
        try await browser.type(label, into: "\(form) [name=\"field.label\"]")
        try await browser.type("Street 1", into: "\(form) [name=\"field.street\"]")
        try await browser.type("Delft", into: "\(form) [name=\"field.city\"]")
        try await browser.click("\(form) button[type=submit]")
        #expect(
            await holds(within: .seconds(60)) {
                try await browser.text("[data-section=\"addresses\"]")?.contains(label) == true
            })
        // It is folded again.
        #expect(await browser.has(0, "[data-section=\"addresses\"] details[open]"))
    }

    @Test("an address that is deleted in one browser goes in another, where something is being typed")
    func deleting() async throws {
        try await place.withBrowsers(2) { web, browsers in
            // Guests would not see each other's addresses.
            try await signUp("Ada", browsers[0], on: web)
            try await signUp("Ada", browsers[1], on: web, with: "signIn")
            for browser in browsers { try await browser.go("\(web.url)/pages/owner") }
            let field = ".form:has([name=\"field.city\"]) [name=\"field.label\"]"
            try await addAddress("Cottage", browsers[0])
            try await addAddress("Office", browsers[0])
            let list = "[data-section=\"addresses\"]"
            #expect(
                await holds(within: .seconds(60)) { try await browsers[1].text(list)?.contains("Office") == true })
            try await browsers[1].unfold(field)
            try await browsers[1].type("Half a nam", into: field)
            try await browsers[0].click("\(list) li:first-child button[value*=deleteAddress]")
            // The question is asked first.
            #expect(await browsers[0].has(1, "dialog[open]"))
            try await browsers[0].click("dialog[open] button.primary, dialog[open] button[value=yes]")
            #expect(
                await holds(within: .seconds(60)) { try await browsers[1].text(list)?.contains("Cottage") == false })
            #expect(try await browsers[1].text(list)?.contains("Office") == true)
            // Nothing that was typed is lost, and neither is the focus.
            try await browsers[1].press("e")
            let typed = try await browsers[1].run("return document.querySelector(arguments[0]).value", [field])
            #expect(typed as? String == "Half a name")
        }
    }

    @Test("a page that somebody composes of modules is shown, and follows its file while it is open")
    func composing() async throws {
        let addresses = #"{"name": "addresses", "module": "owner.addresses", "title": "Addresses"}"#
        let films = #"{"name": "films", "module": "video.library", "title": "Films"}"#
        try place.write(page: "desk", addresses)
        try await place.withBrowsers { web, browsers in
            let browser = browsers[0]
            try await browser.go("\(web.url)/pages/desk")
            #expect(await browser.has(1, "[data-section=addresses]"))
            #expect(await browser.has(0, "[data-section=films]"))
            // A mark that another document would not have.
            try await browser.run("window.mark = 1")
            try place.write(page: "desk", films, addresses)
            #expect(await browser.has(1, "[data-section=films] + [data-section=addresses]"))
            try place.write(page: "desk", films)
            #expect(await browser.has(0, "[data-section=addresses]"))
            #expect(try await browser.run("return window.mark") as? Int == 1)
        }
    }

    @Test("a form that is refused says why at its field, keeps what was typed, and is accepted once it is corrected")
    func errors() async throws {
        try await place.withBrowsers(refused: 1) { web, browsers in
            let browser = browsers[0]
            try await browser.go("\(web.url)/pages/account")
            let form = ".form:has(button[value*=signUp])"
            let (name, password) = ("\(form) [name=\"field.name\"]", "\(form) [name=\"field.password\"]")
            try await browser.type("Ada", into: name)
            try await browser.type("short", into: password)
            try await browser.click("\(form) button[type=submit]")
            #expect(await browser.has(1, "\(form) [aria-invalid=true]"))
            // Who cannot see the page is led to the field and told why.
            let focused = try await browser.run(
                """
                const field = document.activeElement
                const reason = field.getAttribute('aria-describedby').split(' ').map(id => document.getElementById(id))
                return field.name + ': ' + reason.map(each => each?.innerText).join(' ')
                """)
            #expect((focused as? String)?.hasPrefix("field.password: ") == true, "\(focused ?? "")")
            #expect((focused as? String)?.contains("too short") == true, "\(focused ?? "")")
            #expect(
                try await browser.run("return document.querySelector(arguments[0]).value", [name]) as? String == "Ada")
            try await browser.type(" but longer", into: password)
            try await browser.click("\(form) button[type=submit]")
            #expect(await browser.shows("Welcome, Ada", in: "body"))
        }
    }

    @Test("what is typed stays when the page comes anew, and what the page has already is not done again")
    func anew() async throws {
        try await place.withBrowsers { web, browsers in
            let browser = browsers[0]
            try await browser.go("\(web.url)/pages/account")
            await browser.settles()
            let name = ".form:has(button[value*=signUp]) [name=\"field.name\"]"
            try await browser.type("Half a nam", into: name)
            func apply(_ revision: String, _ operation: String) async throws {
                try await browser.run("return apply({revision: \(revision), ops: [\(operation)]})")
            }
            func typed() async throws -> String? {
                try await browser.run("return document.querySelector(arguments[0])?.value", [name]) as? String
            }
            try await apply("1", #"["title", "Old"]"#)
            #expect(try await browser.text("h1") != "Old")
            // As the server sends it after a restart of the host, while the module has not answered yet.
            try await browser.run(
                """
                const page = document.getElementById("page").cloneNode(true)
                const section = page.querySelector('[data-section="account.entry"]')
                section.dataset.state = "loading"
                section.querySelector(".view").replaceChildren("Loading…")
                window.anew = page.outerHTML
                """)
            try await apply("1", #"["page", "Anew", window.anew]"#)
            #expect(try await browser.text("h1") == "Anew")
            #expect(try await typed() == "Half a nam")
            // What the script does not know leads to the page as it is.
            try await apply("Number.MAX_SAFE_INTEGER", #"["unknown"]"#)
            #expect(await holds(within: .seconds(60)) { try await browser.text("h1") != "Anew" })
            #expect(try await typed() == "Half a nam")
        }
    }

    @Test("a component that is taken out goes from an open page, and comes back")
    func components() async throws {
        try await place.withBrowsers(movable: ["ComponentOwner"]) { web, browsers in
            let browser = browsers[0]
            try await browser.go("\(web.url)/pages/home")
            #expect(await browser.has(1, "[data-section=\"addresses\"]"))
            // A mark that another document would not have.
            try await browser.run("window.mark = 1")
            let (file, away) = (web.plugins.file("libComponentOwner.so"), place.directory.path(of: "away.so"))
            try FileManager.default.moveItem(atPath: file, toPath: away)
            web.host.rescan()
            #expect(await browser.has(0, "[data-section=\"addresses\"]"))
            #expect(await browser.has(0, "#bar .pages a[href=\"/pages/owner\"]"))
            try FileManager.default.moveItem(atPath: away, toPath: file)
            web.host.rescan()
            #expect(await browser.has(1, "[data-section=\"addresses\"]"))
            #expect(await browser.has(1, "#bar .pages a[href=\"/pages/owner\"]"))
            #expect(try await browser.run("return window.mark") as? Int == 1)
        }
    }

    @Test("an address is opened from the list, and its page leads back there when it is deleted")
    func detail() async throws {
        try await place.withBrowsers { web, browsers in
            let browser = browsers[0]
            try await browser.go("\(web.url)/pages/owner")
            try await addAddress("Cottage", browser)
            let (list, detail) = ("[data-section=\"addresses\"]", "[data-section=\"owner.address\"]")
            try await browser.click("\(list) a")
            #expect(await browser.shows("Cottage", in: detail))
            try await browser.click("\(detail) button[value*=deleteAddressAndLeave]")
            #expect(await browser.has(1, "dialog[open]"))
            try await browser.click("dialog[open] button.primary, dialog[open] button[value=yes]")
            #expect(await browser.has(1, list))
            #expect(
                await holds(within: .seconds(60)) { try await browser.text(list)?.contains("Cottage") == false })
        }
    }

    @Test("without scripts, forms, questions and pages work as well")
    func withoutScripts() async throws {
        try await place.withBrowsers(scripts: false, refused: 1) { web, browsers in
            let browser = browsers[0]
            try await browser.go("\(web.url)/pages/account")
            let form = ".form:has(button[value*=signUp])"
            try await browser.type("Ada", into: "\(form) [name=\"field.name\"]")
            try await browser.type("short", into: "\(form) [name=\"field.password\"]")
            try await browser.click("\(form) button[type=submit]")
            // The click does not wait for the next document.
            #expect(await browser.has(1, "\(form) [aria-invalid=true]"))
            try await browser.type("correct horse", into: "\(form) [name=\"field.password\"]")
            try await browser.click("\(form) button[type=submit]")
            #expect(await browser.shows("Welcome, Ada", in: "body"))
            try await browser.go("\(web.url)/pages/owner")
            try await browser.unfold(".form:has([name=\"field.city\"]) [name=\"field.label\"]")
            try await browser.type("Cottage", into: ".form:has([name=\"field.city\"]) [name=\"field.label\"]")
            try await browser.type("Street 1", into: ".form:has([name=\"field.city\"]) [name=\"field.street\"]")
            try await browser.type("Delft", into: ".form:has([name=\"field.city\"]) [name=\"field.city\"]")
            try await browser.click(".form:has([name=\"field.city\"]) button[type=submit]")
            let list = "[data-section=\"addresses\"]"
            #expect(await browser.shows("Cottage", in: list))
            try await browser.click("\(list) button[value*=deleteAddress]")
            #expect(await browser.shows("Delete the address Cottage?", in: "h1"))
            try await browser.click("main button[type=submit]")
            #expect(
                await holds(within: .seconds(60)) { try await browser.text(list)?.contains("Cottage") == false })
        }
    }

    @Test("everything can be reached with the keyboard, in the order in which it is read, and the focus is seen")
    func keyboard() async throws {
        try await place.withBrowsers { web, browsers in
            let browser = browsers[0]
            try await browser.go("\(web.url)/pages/account")
            await browser.settles()
            var reached: [String] = []
            for _ in 0..<14 {
                try await browser.press("\u{E004}")
                let focused = try await browser.run(
                    """
                    const each = document.activeElement, style = getComputedStyle(each)
                    if (each === document.body) return 'the end'
                    return [each.innerText || each.name || each.tagName, style.outlineStyle, style.outlineWidth].join('|')
                    """)
                if focused as? String == "the end" { break }
                let parts = try #require(focused as? String).components(separatedBy: "|")
                reached.append(parts[0].trimmingCharacters(in: .whitespacesAndNewlines))
                #expect(parts[1] != "none" && parts[2] != "0px", "\(parts)")
            }
            // There is no component with the page of pictures.
            #expect(reached.starts(with: ["Skip to content", "HSLink", "Home", "Owner", "Films", "Account"]))
            #expect(reached.contains("field.name") && reached.contains("field.password"), "\(reached)")
        }
    }

    @Test("the header is one row that stays in view, with who is signed in and no way twice")
    func header() async throws {
        try place.write(page: "plain", #"{"module": "owner.addresses", "title": "Addresses"}"#)
        try await place.withBrowsers { web, browsers in
            let browser = browsers[0]
            for (page, here) in [("home", "Home"), ("plain", "Page plain")] {
                try await browser.go("\(web.url)/pages/\(page)")
                await browser.settles()
                #expect(await browser.shows("Films", in: ".bar"))
                try await browser.run("scrollTo(0, 1000)")
                let bar = try await browser.run(
                    "const bar = document.querySelector('.bar').getBoundingClientRect(); return [bar.top, bar.height]")
                #expect(bar as? [Int] == [0, 56], "\(bar ?? "")")
                let links = try await browser.run(
                    """
                    return [...document.querySelectorAll('.bar a')].filter(each => each.checkVisibility())
                        .map(each => new URL(each.href).pathname)
                    """)
                let shown = try #require(links as? [String])
                let toAccount = shown.count { ["/pages/account", "/pages/sign-in"].contains($0) }
                #expect(Set(shown).count == shown.count && toAccount == 1, "\(shown)")
                let current = try await browser.run(
                    "return document.querySelector('.bar [aria-current=page]')?.innerText")
                #expect(current as? String == here)
            }
        }
    }

    @Test("long words and numbers break on a small phone, and each text begins at the side of its language")
    func longTexts() async throws {
        let long = String(repeating: "x", count: 300)
        let view = Stack {
            Text(long)
            Text(long, style: .failure)
            Text("שלום (abc)")
            Grid(columns: 2) { for _ in 0..<2 { Stat(long, "1,234,567,890,123", unit: long, change: long) } }
            ProgressBar(long, fraction: 0.25)
            Button(long, .refresh())
            List(long, empty: long) { Row(long, detail: long, badge: long).side(.refresh(title: long)) }
            Card(long, subtitle: long) { Hyperlink(long, to: "https://example.com/") }
            Form(long, .refresh(), title: long) { Field("f", long, .text(longest: 9)).help(long).problem(long) }
            Failure(long, advice: long)
        }
        try await place.withBrowsers(width: 320) { web, browsers in
            let browser = browsers[0]
            try await browser.go("\(web.url)/pages/home")
            await browser.settles()
            let found = try await browser.run(
                """
                const main = document.querySelector('main')
                main.innerHTML = arguments[0]
                main.prepend(Object.assign(document.createElement('h1'), {innerText: arguments[1]}))
                const width = document.documentElement.clientWidth
                const wide = [...main.querySelectorAll('*')].filter(each =>
                    !each.closest('.unseen') && each.getBoundingClientRect().right > width)
                const text = [...main.querySelectorAll('p')].find(each => each.innerText.includes('(abc)'))
                const first = document.createRange()
                first.setStart(text.firstChild, 0)
                first.setEnd(text.firstChild, 1)
                const space = text.getBoundingClientRect().right - first.getBoundingClientRect().right
                return [document.documentElement.scrollWidth - width, space < 2, ...wide.map(each => each.outerHTML)]
                    .map(each => `${each}`.slice(0, 80))
                """, [WebSamples.html(view), long])
            #expect(found as? [String] == ["0", "true"], "\(found ?? "")")
        }
    }

    @Test("nothing is wider than a phone, and everything has a name and enough contrast", arguments: [320, 390, 1100])
    func widths(width: Int) async throws {
        try await place.withBrowsers(width: width) { web, browsers in
            let browser = browsers[0]
            for page in ["home", "owner", "account", "player"] {
                try await browser.go("\(web.url)/pages/\(page)")
                await browser.settles()
                try await browser.expectAccessible(page)
            }
        }
    }
}
