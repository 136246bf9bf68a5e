import ComponentHost
import ComponentKit
import HostTestSupport
import PageKit
import TestSupport
import Testing

/// The host of these tests.
private enum FramePlace {
    /// Whether the component that composes pages has been built; it can be removed from the package.
    static let hasPages = (try? Fixtures.file("ComponentPages")) != nil
}

@Suite("The frame around pages, and dialogs", .enabled(if: FramePlace.hasPages))
struct FrameTests {
    /// Calls `body` with a host that has these pages besides "home".
    private func withPages(_ pages: [String: String], body: (LinkHost) async throws -> Void) async throws {
        let data = try TemporaryDirectory()
        let folder = try data.makeDirectory("pages")
        for (id, keys) in pages {
            try data.write(#"{"page": "\#(id)", \#(keys), "sections": []}"#, to: "pages/\(id).json")
        }
        try await ComponentDepth.file.withHost(["NXUI", "ComponentPages"]) { options in
            options.dataDirectory = data.path(of: "data")
            var configuration = HostConfiguration(environmentPrefix: nil)
            configuration.values["ComponentPages.directory"] = folder
            options.configuration = configuration
        } body: { host in
            // The pages of components are known then, so that no navigation leaves them out.
            _ = try await host.service(PageServiceClient.self).pages()
            try await body(host)
        }
    }

    private func targets(_ views: [ViewNode]) -> [ActionEffect] { views.compactMap { $0.action?.effect } }

    @Test("the navigation leads to the pages that exist, and from a page below another back to it")
    func navigation() async throws {
        let pages = [
            "list": #""title": "List", "position": 900"#, "item": #""title": "Item", "parent": "list""#,
            "back": #""title": "Back", "position": 901"#,
        ]
        try await withPages(pages) { host in
            let first = [ActionEffect.show(page: "home"), .show(page: "list"), .show(page: "back")]
            let views = try await host.view("ui.frame", page: "list").views(of: .navigation)
            #expect(targets(views) == first)
            let below = try await host.view("ui.frame", page: "item").views(of: .navigation)
            #expect(targets(below) == [.show(page: "list")] + first)
            #expect(below.first?.content == .icon(IconContent(name: "back", label: "Back to List")))
        }
    }

    @Test("without the component that composes pages, the frame is empty")
    func alone() async throws {
        try await ComponentDepth.file.withHost(["NXUI"]) { host async throws in
            #expect(try await host.view("ui.frame").children.isEmpty)
        }
    }

    @Test("a dialog leaves out the buttons whose page does not exist")
    func dialog() async throws {
        try await withPages(["sale": #""title": "Sale""#]) { host in
            let data: Payload = [
                "title": "News", "message": "There is a sale.", "icon": "warning",
                "buttons": [
                    ["title": "No", "page": "none"], ["title": "See", "page": "sale?id=1"],
                    ["title": "Later", "page": "home"],
                ],
            ]
            let view = try await host.view("ui.dialog", data: data)
            #expect(view.content == .card(CardContent(title: "News")))
            #expect(view.texts == ["There is a sale."])
            let buttons = view.all.filter { if case .button = $0.content { true } else { false } }
            #expect(targets(buttons) == [.show(page: "sale?id=1"), .show(page: "home")])
            #expect(try await host.view("ui.dialog", data: ["title": "Only a title"]).children.isEmpty)
        }
    }
}
