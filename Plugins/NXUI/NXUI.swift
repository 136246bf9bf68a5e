import ComponentKit
import NXKit
import NXUIContract

/// What the sample components share to look alike: icons, a placeholder and a style, all in its resources, and the frame
/// around pages.
///
/// It is a component, not a library that each of the others would contain: the files exist once, and dropping in another
/// NXUI changes the look of all.
@Component(version: "1.0.0", layer: .common)
struct NXUI {}

/// Icons, placeholder and style.
@LinkClass("UILink", provides: (any UIService).self)
final class UILink: UIService {
    private let resources: Resources

    init(_ context: ComponentContext) { resources = context.resources }

    private static let suffix = ".svg"
    /// An icon is a few hundred bytes.
    private static let maximumBytes = 1 << 20

    func icons() throws -> [String] {
        try reading { () throws(ResourceError) in
            try resources.names(in: "icons").filter { $0.hasSuffix(UILink.suffix) }
                .map { String($0.dropLast(UILink.suffix.count)) }
        }
    }

    func icon(name: String) throws -> Icon {
        guard try icons().contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
            throw UIError.unknownIcon(name: name)
        }
        return try file("icons/\(name)\(UILink.suffix)", name: name, mediaType: "image/svg+xml")
    }

    func placeholder() throws -> Icon {
        try file("placeholder.png", name: "placeholder", mediaType: "image/png")
    }

    func style() throws -> Style {
        let style = try reading { () throws(ResourceError) in
            try resources.json("style.json", as: Style.self)
        }
        for palette in [style.light, style.dark] {
            for color in palette.colors where RGBColor(color) == nil {
                throw UIError.damaged(reason: "style.json of NXUI: expected a colour as #RRGGBB, found \"\(color)\"")
            }
        }
        return style
    }

    func look() throws -> Look { Look(style: try style(), icons: try icons().map { try icon(name: $0) }) }

    private func file(_ file: String, name: String, mediaType: String) throws -> Icon {
        try reading { () throws(ResourceError) in
            Icon(
                name: name, mediaType: mediaType, data: try resources.data(file, limit: UILink.maximumBytes))
        }
    }

    /// Turns an error about a resource into one of the service.
    private func reading<Value>(_ body: () throws(ResourceError) -> Value) throws(UIError) -> Value {
        do throws(ResourceError) {
            return try body()
        } catch {
            throw .damaged(reason: "\(error)")
        }
    }
}

extension Palette {
    fileprivate var colors: [String] {
        [background, surface, border, text, muted, accent, onAccent, success, danger]
    }
}
