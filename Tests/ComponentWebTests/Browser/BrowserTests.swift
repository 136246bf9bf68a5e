import ComponentHost
import Foundation
import TestSupport
import Testing

@testable import ComponentWeb

@Suite("Pages in a real browser", .serialized, .enabled(if: WebPlace.isComplete))
struct BrowserTests {
    let place: WebPlace

    init() throws { place = try WebPlace() }

    /// Opens browsers, calls `body`, and closes them; the browsers' logs must be silent but for forms that are to be
    /// refused.
    private func withBrowsers<Value>(
        _ count: Int = 1, width: Int = 1100, scripts: Bool = true, refused: Int = 0, _ options: String = "",
        body: (WebHost, [Browser]) async throws -> Value
    ) async throws -> Value {
        try await place.withWeb(options) { web in
            let driver = try BrowserDriver()
            var browsers: [Browser] = []
            for _ in 0..<count { browsers.append(try await driver.open(width: width, scripts: scripts)) }
            do {
                let value = try await body(web, browsers)
                for browser in browsers {
                    let problems = try await browser.problems()
                    #expect(problems.filter { !$0.contains("status of 422") }.isEmpty)
                    #expect(problems.count { $0.contains("status of 422") } == refused)
                    await browser.close()
                }
                return value
            } catch {
                for browser in browsers { await browser.close() }
                throw error
            }
        }
    }

    private func signUpAndIn(_ name: String, _ browser: Browser, _ web: WebHost) async throws {
        try await browser.go("\(web.url)/pages/account")
        for section in ["account.signUp", "account.signIn"] {
            let place = "[data-section=\"\(section)\"]"
            if section == "account.signUp" { try await browser.unfold("\(place) [name=\"field.name\"]") }
            try await browser.type(name, into: "\(place) [name=\"field.name\"]")
            try await browser.type("correct horse", into: "\(place) [name=\"field.password\"]")
            try await browser.click("\(place) form.form button[type=submit], \(place) .form button[type=submit]")
            let said = section == "account.signUp" ? "The account of \(name) exists now." : "Welcome, \(name)"
            #expect(
                await holds(within: .seconds(60)) {
                    try await browser.text("body")?.contains(said) == true
                })
        }
    }

    @Test("two people sign in and out, each in a browser of their own")
    func people() async throws {
        try await withBrowsers(2) { web, browsers in
            try await signUpAndIn("Ada", browsers[0], web)
            try await signUpAndIn("Ben", browsers[1], web)
            try await browsers[0].go("\(web.url)/pages/home")
            #expect(try await browsers[0].text(".frame-header")?.contains("Welcome, Ada") == true)
            try await browsers[0].click("[data-section=\"account.card\"] button[type=submit]")
            #expect(
                await holds(within: .seconds(60)) {
                    try await browsers[0].text(".frame-header")?.contains("Welcome, guest") == true
                })
            try await browsers[1].go("\(web.url)/pages/home")
            #expect(try await browsers[1].text(".frame-header")?.contains("Welcome, Ben") == true)
        }
    }

    private func addAddress(_ label: String, _ browser: Browser) async throws {
        let form = ".form:has([name=\"field.city\"])"
        try await browser.type(label, into: "\(form) [name=\"field.label\"]")
        try await browser.type("Street 1", into: "\(form) [name=\"field.street\"]")
        try await browser.type("Delft", into: "\(form) [name=\"field.city\"]")
        try await browser.click("\(form) button[type=submit]")
        #expect(
            await holds(within: .seconds(60)) {
                try await browser.text("[data-section=\"addresses\"]")?.contains(label) == true
            })
    }

    @Test("an address that is deleted in one browser goes in another, where something is being typed")
    func deleting() async throws {
        try await withBrowsers(2) { web, browsers in
            for browser in browsers { try await browser.go("\(web.url)/pages/owner") }
            let field = ".form:has([name=\"field.city\"]) [name=\"field.label\"]"
            try await browsers[0].unfold(field)
            try await addAddress("Cottage", browsers[0])
            try await addAddress("Office", browsers[0])
            let list = "[data-section=\"addresses\"]"
            #expect(
                await holds(within: .seconds(60)) { try await browsers[1].text(list)?.contains("Office") == true })
            try await browsers[1].unfold(field)
            try await browsers[1].type("Half a nam", into: field)
            try await browsers[0].click("\(list) li:first-child button[value*=deleteAddress]")
            // The question is asked first.
            #expect(await holds(within: .seconds(30)) { try await browsers[0].count("dialog[open]") == 1 })
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

    @Test("a component that is taken out goes from an open page, and comes back")
    func components() async throws {
        try await withBrowsers { web, browsers in
            let browser = browsers[0]
            try await browser.go("\(web.url)/pages/home")
            #expect(try await browser.count("[data-section=\"addresses\"]") == 1)
            // A mark that another document would not have.
            try await browser.run("window.mark = 1")
            let (file, away) = (web.plugins.file("libComponentOwner.so"), place.directory.path(of: "away.so"))
            try FileManager.default.moveItem(atPath: file, toPath: away)
            web.host.rescan()
            #expect(
                await holds(within: .seconds(60)) { try await browser.count("[data-section=\"addresses\"]") == 0 })
            try FileManager.default.moveItem(atPath: away, toPath: file)
            web.host.rescan()
            #expect(
                await holds(within: .seconds(60)) { try await browser.count("[data-section=\"addresses\"]") == 1 })
            #expect(try await browser.run("return window.mark") as? Int == 1)
        }
    }

    @Test("without scripts, forms, questions and pages work as well")
    func withoutScripts() async throws {
        try await withBrowsers(scripts: false, refused: 1) { web, browsers in
            let browser = browsers[0]
            try await browser.go("\(web.url)/pages/account")
            let form = "[data-section=\"account.signUp\"]"
            try await browser.click("\(form) summary")
            try await browser.type("Ada", into: "\(form) [name=\"field.name\"]")
            try await browser.type("short", into: "\(form) [name=\"field.password\"]")
            try await browser.click("\(form) .form button[type=submit]")
            // The click does not wait for the next document.
            #expect(await holds(within: .seconds(60)) { try await browser.count("\(form) [aria-invalid=true]") == 1 })
            try await browser.type("correct horse", into: "\(form) [name=\"field.password\"]")
            try await browser.click("\(form) .form button[type=submit]")
            #expect(await browser.shows("The account of Ada exists now.", in: "#status"))
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
        try await withBrowsers { web, browsers in
            let browser = browsers[0]
            try await browser.go("\(web.url)/pages/account")
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
            #expect(
                reached.starts(with: ["Skip to content", "HSLink", "Home", "Owner", "Pictures", "Films", "Account"]))
            #expect(reached.contains("field.name") && reached.contains("field.password"), "\(reached)")
        }
    }

    @Test("nothing is wider than a phone, and everything has a name and enough contrast", arguments: [390, 1100])
    func widths(width: Int) async throws {
        try await withBrowsers(width: width) { web, browsers in
            let browser = browsers[0]
            for page in ["home", "owner", "account", "player"] {
                try await browser.go("\(web.url)/pages/\(page)")
                let isTooWide = try await browser.run(
                    "return document.documentElement.scrollWidth > document.documentElement.clientWidth")
                #expect(isTooWide as? Bool == false, "\(page)")
                // What is folded has no name, since nobody is told of it.
                try await browser.run("document.querySelectorAll('details').forEach(each => each.open = true)")
                for control in try await browser.controls() {
                    #expect(!control.name.isEmpty && !control.role.isEmpty, "\(page): \(control)")
                }
                let faint = try await browser.run(BrowserTests.contrast)
                #expect((faint as? [String])?.isEmpty == true, "\(page): \(faint ?? "")")
                let order = try await browser.run(
                    "return [...document.querySelectorAll('h1, h2, h3, h4')].map(each => +each.tagName[1])")
                let levels = try #require(order as? [Int])
                #expect(levels.count(where: { $0 == 1 }) == 1, "\(page): \(levels)")
            }
        }
    }

    /// Returns the texts whose contrast with what is behind them is less than 4.5 (WCAG 2.2, 1.4.3).
    private static let contrast = """
        const channel = value => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
        const parse = text => (text.match(/[\\d.]+/g) || []).map(Number)
        const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)
        const behind = each => {
            for (; each; each = each.parentElement) {
                const color = parse(getComputedStyle(each).backgroundColor)
                if (color.length === 3 || color[3] === 1) return color
            }
            return [255, 255, 255]
        }
        const faint = []
        for (const each of document.querySelectorAll('body *')) {
            const own = [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim())
            if (!own || !each.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})) continue
            const [first, second] = [light(parse(getComputedStyle(each).color)), light(behind(each))]
            const ratio = (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
            if (ratio < 4.5) faint.push(each.innerText + ' ' + ratio.toFixed(2))
        }
        return faint
        """
}
