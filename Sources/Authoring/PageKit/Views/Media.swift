public import ComponentKit

/// A picture.
///
/// ```swift
/// Image(.resource("portrait.png"), describing: "\(user.name), smiling")
/// ```
public struct Image: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - source: where the picture is.
    ///   - description: the picture in words, for people and terminals that cannot show it; empty for an ornament.
    public init(_ source: ImageSource, describing description: String) {
        node = ViewNode(.image(ImageContent(source: source, description: description)))
    }
}

/// Where a picture is.
@Model public enum ImageSource: Hashable, Sendable {
    /// A resource of a component: that of the module if none is named.
    case resource(name: String, component: String?)
    /// An absolute URL with the scheme `http` or `https`.
    case url(url: String)
    /// The picture itself, with its media type, such as `image/png`.
    case bytes(bytes: [UInt8], type: String)

    /// A resource of the component that the module belongs to.
    public static func resource(_ name: String) -> ImageSource { .resource(name: name, component: nil) }

    /// A picture on the web.
    ///
    /// - Parameter url: an absolute URL with the scheme `http` or `https`.
    public static func url(_ url: String) -> ImageSource { .url(url: url) }

    /// The picture itself.
    ///
    /// - Parameters:
    ///   - bytes: the content of the file.
    ///   - type: its media type: `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    public static func bytes(_ bytes: [UInt8], type: String) -> ImageSource { .bytes(bytes: bytes, type: type) }
}

/// The content of an ``Image``.
@Model public struct ImageContent: Hashable, Sendable {
    /// Where the picture is.
    public var source: ImageSource
    /// The picture in words, for people and terminals that cannot show it; empty for an ornament.
    public var description: String
}

/// A page on the web that is shown as a part of this one, such as a map or a form of another service.
///
/// ```swift
/// EmbeddedPage("Map of Oslo", at: "https://maps.example/embed?q=Oslo", height: 20)
/// ```
///
/// A browser shows it only if the operator of the host allows its origin; otherwise there is a link. It runs apart from
/// the page around it: it can read neither that page nor cookies. A terminal shows its address.
public struct EmbeddedPage: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - title: what it is, also for people who do not see it.
    ///   - url: an absolute URL with the scheme `http` or `https`.
    ///   - height: how high it is shown, in lines of text, from 4 to 100.
    public init(_ title: String, at url: String, height: Int = 20) {
        node = ViewNode(.hyperlink(HyperlinkContent(title: title, url: url, height: height)))
    }
}

/// A small sign from the set that all components share.
public struct Icon: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - name: the name of the icon.
    ///   - label: its meaning, for people who do not see it; empty for an ornament.
    public init(_ name: String, label: String = "") {
        node = ViewNode(.icon(IconContent(name: name, label: label)))
    }
}

/// The content of an ``Icon``.
@Model public struct IconContent: Hashable, Sendable {
    /// The name of the icon.
    public var name: String
    /// Its meaning, for people who do not see it; empty for an ornament.
    public var label: String = ""
}

/// Plays a film or a recording.
public struct MediaPlayer: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - source: where the recording is.
    ///   - title: what it is.
    ///   - poster: a picture to show before it is played.
    ///   - duration: how long it takes, in seconds, if that is known.
    public init(_ source: MediaSource, title: String, poster: ImageSource? = nil, duration: Double? = nil) {
        node = ViewNode(
            .player(PlayerContent(source: source, title: title, poster: poster, duration: duration)))
    }
}

/// Where a film or a recording is.
@Model public enum MediaSource: Hashable, Sendable {
    /// A resource of a component: that of the module if none is named.
    case resource(name: String, component: String?)
    /// A file in the data directory of a component: that of the module if none is named. The path is relative to it.
    case file(path: String, component: String?)
    /// An absolute URL with the scheme `http` or `https`.
    case url(url: String)
}

/// The content of a ``MediaPlayer``.
@Model public struct PlayerContent: Hashable, Sendable {
    /// Where the recording is.
    public var source: MediaSource
    /// What it is.
    public var title: String
    /// A picture to show before it is played.
    public var poster: ImageSource?
    /// How long it takes, in seconds, if that is known.
    public var duration: Double?
}
