public import ComponentKit
public import Foundation

/// The service of NXUI: what the sample components share to look alike.
@LinkService("org.hslink.ui/1")
public protocol UIService: Sendable {
    /// Returns the names of all icons, sorted.
    func icons() throws -> [String]

    /// Returns an icon.
    ///
    /// - Parameter name: One of ``icons()``.
    func icon(name: String) throws -> Icon

    /// Returns the picture that stands for one that cannot be had.
    func placeholder() throws -> Icon

    /// Returns the colours, sizes and fonts.
    func style() throws -> Style

    /// Returns all that makes pages look alike. Who shows pages need not trust it, and refuses a look as a whole if a part
    /// of it is not as it says here.
    func look() throws -> Look
}

/// How pages look.
@Model public struct Look: Hashable, Sendable {
    /// The colours, sizes and fonts.
    public var style: Style
    /// The icons. Each is an element `svg` with `viewBox` and nothing but shapes in it, whose attributes are numbers, or
    /// words such as "none" and "currentColor".
    public var icons: [Icon]
}

/// A small picture.
@Model public struct Icon: Hashable, Sendable {
    /// The name, as in "address".
    public var name: String
    /// The type: "image/svg+xml" for icons, "image/png" for the placeholder.
    public var mediaType: String
    /// The content of the file.
    public var data: Data
}

/// Colours, sizes and fonts.
@Model public struct Style: Hashable, Sendable, Decodable {
    /// The colours on a light background.
    public var light: Palette
    /// The colours on a dark background.
    public var dark: Palette
    /// The distance between two things, in pixels.
    public var spacing: Int
    /// The radius of corners, in pixels.
    public var cornerRadius: Int
    /// The names of fonts, the preferred one first.
    public var fonts: [String]
}

/// Colours, each as "#RRGGBB".
@Model public struct Palette: Hashable, Sendable, Decodable {
    /// Behind everything.
    public var background: String
    /// Behind cards and rows.
    public var surface: String
    /// Lines between things.
    public var border: String
    /// Text.
    public var text: String
    /// Text of less importance.
    public var muted: String
    /// Links, buttons and portraits.
    public var accent: String
    /// Text on the accent colour.
    public var onAccent: String
    /// What has succeeded.
    public var success: String
    /// What has failed, or deletes something.
    public var danger: String
}

/// Why NXUI has no answer.
@Model public enum UIError: Error, Hashable, Sendable {
    /// There is no such icon.
    case unknownIcon(name: String)
    /// A resource of NXUI is missing or damaged.
    case damaged(reason: String)
}

extension UIError: CustomStringConvertible {
    /// The error as a sentence.
    public var description: String {
        switch self {
        case .unknownIcon(let name): "there is no icon \"\(name)\"; ask for icons to see which exist"
        case .damaged(let reason): reason
        }
    }
}
