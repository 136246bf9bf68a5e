import ComponentHost
import ComponentKit
import Foundation
import HostTestSupport
import NXKit
import NXUIContract
import TestSupport
import Testing

@Suite("Icons, placeholder and style")
struct UITests {
    private let folder = BuiltProducts.packageDirectory.appending(path: "Plugins/NXUI/NXUI.resources")

    @Test("each icon is the file of the resources")
    func icons() async throws {
        try await ComponentDepth.file.withHost(["NXUI"]) { host async throws in
            let ui = try host.service(UIServiceClient.self)
            let names = try await ui.icons()
            #expect(names.count >= 12)
            #expect(names == names.sorted())
            for name in names {
                let icon = try await ui.icon(name: name)
                #expect(icon.name == name)
                #expect(icon.mediaType == "image/svg+xml")
                #expect(icon.data == (try Data(contentsOf: folder.appending(path: "icons/\(name).svg"))))
                #expect(try host.resources(of: "NXUI").data("icons/\(name).svg") == icon.data)
            }
            #expect(try await ui.placeholder().data.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }
    }

    @Test("a name that is none of the icons is refused", arguments: ["", "nothing", "../style", "../style.json", "/"])
    func unknown(name: String) async throws {
        try await ComponentDepth.file.withHost(["NXUI"]) { host async throws in
            let ui = try host.service(UIServiceClient.self)
            await #expect(throws: UIError.unknownIcon(name: name)) { try await ui.icon(name: name) }
        }
    }

    @Test("text can be read on every colour that it stands on")
    func contrast() async throws {
        try await ComponentDepth.file.withHost(["NXUI"]) { host async throws in
            let style = try await host.service(UIServiceClient.self).style()
            #expect(style.spacing > 0)
            #expect(!style.fonts.isEmpty)
            for palette in [style.light, style.dark] {
                for background in [palette.background, palette.surface] {
                    for text in [palette.text, palette.muted, palette.accent, palette.success, palette.danger] {
                        #expect(try contrast(text, background) >= 4.5, "\(text) on \(background)")
                    }
                }
                #expect(try contrast(palette.onAccent, palette.accent) >= 4.5)
            }
        }
    }

    @Test("without its resources, or with a damaged style, it says so")
    func damaged() async throws {
        try await withPlugins { plugins async throws in
            try plugins.add(file: BuiltProducts.component("NXUI"))
            let host = LinkHost(components: [plugins.path], includesBuiltIn: false)
            let ui = try host.service(UIServiceClient.self)
            func reason() async throws -> String {
                let error = await #expect(throws: UIError.self) { try await ui.style() }
                return "\(try #require(error))"
            }
            #expect(try await reason().contains("NXUI.resources"))
            let style = try String(contentsOf: folder.appending(path: "style.json"), encoding: .utf8)
            for (text, words) in [
                ("", "line 1"), (style.replacing("\"#1B2430\"", with: "\"black\""), "\"black\""),
                (style.replacing("\"spacing\": 16,", with: ""), "spacing"),
            ] {
                try FileManager.default.createDirectory(
                    atPath: plugins.file("NXUI.resources"), withIntermediateDirectories: true)
                try plugins.write(text, to: "NXUI.resources/style.json")
                #expect(try await reason().contains(words))
            }
            await host.stop()
        }
    }

    /// The contrast of two colours (WCAG 2.2, "contrast ratio").
    private func contrast(_ first: String, _ second: String) throws -> Double {
        try #require(RGBColor(first)).contrast(with: #require(RGBColor(second)))
    }
}
