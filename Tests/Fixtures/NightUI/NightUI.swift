import ComponentKit
import Foundation
import NXUIContract

/// What a test changes about the look.
@Model
struct NightOptions: Sendable {
    /// The colour of links and buttons on a light background.
    var accent: String = "#7A1FA2"
    /// The icon for failures, as SVG.
    var icon: String = #"<svg viewBox="0 0 8 8"><path d="M4 1v4" stroke="currentColor"/></svg>"#
}

/// Another component that makes pages look alike, in the place of NXUI, for tests.
@Component(version: "1.0.0", layer: .common, configuration: NightOptions.self)
struct NightUI {}

/// A look that is purple.
@LinkClass("NightLink", provides: (any UIService).self)
final class NightLink: UIService {
    private let options: NightOptions

    init(_ context: ComponentContext) throws { options = try context.configuration.value() }

    func icons() -> [String] { ["failure"] }

    func icon(name: String) throws -> Icon {
        guard name.utf8.elementsEqual("failure".utf8) else { throw UIError.unknownIcon(name: name) }
        return Icon(name: name, mediaType: "image/svg+xml", data: Data(options.icon.utf8))
    }

    func placeholder() throws -> Icon { try icon(name: "failure") }

    func style() -> Style {
        let light = Palette(
            background: "#FFF7ED", surface: "#FFFFFF", border: "#E7D5C3", text: "#2A1B0E", muted: "#6B5644",
            accent: options.accent, onAccent: "#FFFFFF", success: "#1B6E3C", danger: "#A61B1B")
        let dark = Palette(
            background: "#0B0710", surface: "#17101F", border: "#3A2C48", text: "#F3ECF9", muted: "#B3A3C2",
            accent: "#E0A3FF", onAccent: "#2A0B3A", success: "#7FDBA6", danger: "#FFA39B")
        return Style(light: light, dark: dark, spacing: 12, cornerRadius: 0, fonts: ["Noto Serif", "serif"])
    }

    func look() throws -> Look { Look(style: style(), icons: [try icon(name: "failure")]) }
}
