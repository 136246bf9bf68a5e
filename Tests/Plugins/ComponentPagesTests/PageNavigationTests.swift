import ComponentHost
import ComponentKit
import Foundation
import HostTestSupport
import PageKit
import TestSupport
import Testing

@testable import ComponentPages

@Suite("What leads from a page to others")
struct PageNavigationTests {
    /// Pages as they are written, the page that it leads from, the ids that it leads to in order, and the one above.
    static let navigations: [(files: [String], page: String, ids: [String], parent: String?)] = [
        ([], "home", [], nil),
        // By position, then by title, then by id.
        (
            [
                #""page": "b", "title": "B""#, #""page": "a", "title": "C""#, #""page": "c", "title": "B""#,
                #""page": "z", "position": 7"#, #""page": "y", "position": 0"#, #""page": "x", "position": 1000"#,
            ], "b", ["y", "z", "x", "b", "c", "a"], nil
        ),
        // The first file with an id counts.
        ([#""page": "a", "position": 2"#, #""page": "b", "position": 1"#, #""page": "a""#], "a", ["b", "a"], nil),
        // Nothing leads to a page that takes values, which has a way back.
        ([#""page": "list""#, #""page": "item", "values": "m", "parent": "list""#], "item?id=1", ["list"], "list"),
        ([#""page": "list", "values": "m""#, #""page": "item", "parent": "list""#], "item", ["item"], nil),
        // A page is reached even if the one above is missing.
        ([#""page": "item", "parent": "list""#], "item", ["item"], nil),
        ([#""page": "list""#, #""page": "item", "parent": "list""#], "none", ["list"], nil),
        // So are pages that are above each other.
        (
            [#""page": "a", "parent": "b""#, #""page": "b", "parent": "a""#, #""page": "c", "parent": "b""#], "a",
            ["a", "b"], "b"
        ),
    ]

    @Test("are the pages that exist, in the order of their files", arguments: navigations)
    func order(files: [String], page: String, ids: [String], parent: String?) throws {
        let pages = try files.map { try #require(PageReader.read("{\($0), \"sections\": []}").written) }
        let navigation = PageNavigation(among: pages, from: PageAddress(page)?.name ?? page)
        #expect(navigation.pages.map(\.id) == ids)
        #expect(navigation.parent?.id == parent)
    }

    @Test("leave out the pages of components that are gone, and not of those whose modules others have as well")
    func gone() {
        func module(_ name: String, of component: String, problem: String? = nil) -> ModuleDirectory.Module {
            ModuleDirectory.Module(
                name: name, component: component, className: "L", selector: "s", kind: .object, isCondition: false,
                parameters: ["context"], data: [], problem: problem)
        }
        let modules = ModuleDirectory([
            module("a", of: "Shown"), module("b", of: "Shown", problem: "it is gone"),
            module("a", of: "Covered", problem: "the same name"), module("c", of: "Gone", problem: "it is gone"),
            module("a", of: "Gone", problem: "it is gone"),
        ])
        #expect(modules.unshownComponents == [Array("Gone".utf8)])
    }

    private func links(of page: Page) -> [String] {
        page.frame?.view.views(of: .navigation).compactMap { view in
            if case .button(let button) = view.content { button.title } else { nil }
        } ?? []
    }

    private func write(_ id: String, _ title: String, to place: PagePlace) throws {
        try place.write(
            #"{"page": "\#(id)", "title": "\#(title)", "delegate": "test.navigation", "sections": []}"#,
            to: "\(id).json")
    }

    @Test("follow the files while a page is open", arguments: ComponentDepth.allCases)
    func files(depth: ComponentDepth) async throws {
        let place = try PagePlace()
        try write("home", "Navigation 1", to: place)
        try await place.withPages(depth) { _, pages, _ in
            let record = PageRecord(try await pages.updates(id: "home"))
            /// The tests' other pages, which a linked-in component brings along, are not meant.
            func shows(_ titles: [String]) async -> Bool {
                await holds { links(of: record.page).filter { $0.hasPrefix("Navigation") } == titles }
            }
            #expect(await shows(["Navigation 1"]))
            try write("next", "Navigation 2", to: place)
            #expect(await shows(["Navigation 1", "Navigation 2"]))
            try write("next", "Navigation 3", to: place)
            #expect(await shows(["Navigation 1", "Navigation 3"]))
            try place.remove("next.json")
            #expect(await shows(["Navigation 1"]))
            record.end()
        }
    }

    @Test("do not wait for a component that does not say which pages it brings along, and have them once it does")
    func late() async throws {
        let place = try PagePlace()
        try write("home", "Home", to: place)
        try await place.withPages(.file, ["FixtureComponent"]) { host, pages, _ in
            _ = try await host.call("FixturePages", "hold", ["isHeld": true])
            let record = PageRecord(try await pages.updates(id: "home"))
            #expect(await holds { links(of: record.page).contains("Home") })
            #expect(!links(of: record.page).contains("fixture"))
            _ = try await host.call("FixturePages", "hold", ["isHeld": false])
            #expect(await holds { links(of: record.page).contains("fixture") })
            record.end()
        }
    }
}
