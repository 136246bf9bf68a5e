import Testing

extension WebPlace {
    /// Opens browsers, calls `body`, and closes them; the browsers' logs must be silent but for forms that are to be
    /// refused.
    func withBrowsers<Value>(
        _ count: Int = 1, width: Int = 1100, scripts: Bool = true, refused: Int = 0, _ options: String = "",
        others: [String] = WebPlace.others, movable: Set<String> = [], settings: String = "",
        body: (WebHost, [Browser]) async throws -> Value
    ) async throws -> Value {
        try await withWeb(options, others: others, movable: movable, settings: settings) { web in
            let driver = try BrowserDriver()
            var browsers: [Browser] = []
            for _ in 0..<count { browsers.append(try await driver.open(width: width, scripts: scripts)) }
            do {
                let value = try await body(web, browsers)
                for browser in browsers {
                    let problems = try await browser.problems()
                    // What was filled in, or the session of the form.
                    let refusals = problems.filter { $0.contains("status of 422") || $0.contains("status of 403") }
                    #expect(problems.filter { !refusals.contains($0) }.isEmpty)
                    #expect(refusals.count == refused)
                    await browser.close()
                }
                return value
            } catch {
                for browser in browsers { await browser.close() }
                throw error
            }
        }
    }
}

extension Browser {
    /// Checks that nothing of the open page is wider than the window, that everything that can be used has a name, that
    /// texts have enough contrast in both themes, and that there is one title.
    func expectAccessible(_ page: String) async throws {
        let isTooWide = try await run(
            "return document.documentElement.scrollWidth > document.documentElement.clientWidth")
        #expect(isTooWide as? Bool == false, "\(page)")
        // What is folded has no name, since nobody is told of it.
        try await run("document.querySelectorAll('details').forEach(each => each.open = true)")
        for control in try await controls() {
            #expect(!control.name.isEmpty && !control.role.isEmpty, "\(page): \(control)")
        }
        for theme in ["dark", "light"] {
            try await setTheme(theme)
            let faint = try await run(Browser.contrast)
            #expect((faint as? [String])?.isEmpty == true, "\(page), \(theme): \(faint ?? "")")
        }
        let order = try await run(
            "return [...document.querySelectorAll('h1, h2, h3, h4')].map(each => +each.tagName[1])")
        let levels = try #require(order as? [Int])
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 <= $0 + 1 }, "\(page): \(levels)")
        #expect(levels.count(where: { $0 == 1 }) == 1, "\(page): \(levels)")
    }

    /// Returns the texts whose contrast with what is behind them is less than 4.5 (WCAG 2.2, 1.4.3).
    fileprivate static let contrast = """
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
        const opacity = each => each ? getComputedStyle(each).opacity * opacity(each.parentElement) : 1
        // Colours that still change on their way from one theme to the other are neither.
        document.getAnimations().forEach(each => each instanceof CSSTransition && each.finish())
        const faint = []
        for (const each of document.querySelectorAll('body *')) {
            const own = [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim())
            if (!own || !each.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})) continue
            // What is half transparent has half of the contrast.
            if (opacity(each) < 0.85) faint.push(each.innerText + ' opacity ' + opacity(each))
            const [first, second] = [light(parse(getComputedStyle(each).color)), light(behind(each))]
            const ratio = (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
            if (ratio < 4.5) faint.push(each.innerText + ' ' + ratio.toFixed(2))
        }
        return faint
        """
}
