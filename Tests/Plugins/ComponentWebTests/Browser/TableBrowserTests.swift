import PageKit
import Testing

@testable import ComponentWeb

@Suite("Tables in a real browser", .serialized, .enabled(if: WebPlace.isComplete))
struct TableBrowserTests {
    let place: WebPlace

    init() throws { place = try WebPlace() }

    @Test("a column in which no row says anything is left out until one does, but not one that has actions")
    func blankColumns() async throws {
        let rows = Table(["A", "B", "C", "D"]) {
            TableRow(["1", "–", "x", ""]).side(.refresh())
            TableRow(["2", "", "", "–"])
        }
        try await place.withBrowsers { web, browsers in
            let browser = browsers[0]
            try await browser.go("\(web.url)/pages/home")
            let titles = try await browser.run(
                """
                document.querySelector('main').insertAdjacentHTML('beforeend', arguments[0])
                const table = document.querySelector('main > .table table')
                const shown = () => [...table.rows].map(row =>
                    [...row.cells].filter(each => each.checkVisibility()).map(each => each.firstChild?.data ?? '').join())
                const states = [shown().join(' ')]
                table.rows[2].cells[1].classList.remove('blank')
                states.push(shown()[0])
                table.tBodies[0].replaceChildren()
                states.push(shown()[0])
                return states.join('; ')
                """, [WebSamples.html(rows)])
            #expect(titles as? String == "A,C,D 1,x, 2,,–; A,B,C,D; A,B,C,D")
        }
    }
}
