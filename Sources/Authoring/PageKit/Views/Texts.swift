public import ComponentKit

/// Text.
///
/// ```swift
/// Text("Welcome back", style: .title)
/// ```
public struct Text: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - text: the text; line breaks are kept.
    ///   - style: its meaning, from which a renderer chooses how it looks.
    public init(_ text: String, style: TextStyle = .body) {
        node = ViewNode(.text(TextContent(text: text, style: style)))
    }
}

/// The meaning of a text.
@Model public enum TextStyle: String, Hashable, Sendable, CaseIterable {
    /// The title of a page or section.
    case title
    /// The title of a part of a section.
    case heading
    /// Ordinary text.
    case body
    /// A remark, less prominent than ordinary text.
    case caption
    /// Code or output of a program, in letters of equal width.
    case code
    /// Something that went well.
    case success
    /// Something to be careful about.
    case warning
    /// Something that went wrong.
    case failure
}

/// The content of a ``Text``.
@Model public struct TextContent: Hashable, Sendable {
    /// The text; line breaks are kept.
    public var text: String
    /// Its meaning.
    public var style: TextStyle = .body
}

/// A link to a document outside of the host, such as a page on the web. A ``Button`` or a ``Row`` with an
/// ``Action/open(_:title:confirm:role:)`` leads to a route of the host.
public struct Hyperlink: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - title: the text to choose.
    ///   - url: an absolute URL with the scheme `http`, `https` or `mailto`.
    public init(_ title: String, to url: String) {
        node = ViewNode(.hyperlink(HyperlinkContent(title: title, url: url)))
    }
}

/// The content of a ``Hyperlink``.
@Model public struct HyperlinkContent: Hashable, Sendable {
    /// The text to choose.
    public var title: String
    /// An absolute URL with the scheme `http`, `https` or `mailto`.
    public var url: String
    /// How high the document is shown in its place, in lines of text, from 4 to 100; nil for a link only. See
    /// ``EmbeddedPage``.
    public var height: Int?
}

/// A button with an action.
///
/// ```swift
/// Button("Sign out", .call("signOut"), role: .destructive)
/// ```
public struct Button: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - title: the text on it.
    ///   - action: what it does.
    ///   - role: how much attention it asks for.
    public init(_ title: String, _ action: Action, role: ButtonRole = .normal) {
        node = ViewNode(.button(ButtonContent(title: title, role: role)))
        node.action = action
    }
}

/// How much attention a button asks for.
@Model public enum ButtonRole: String, Hashable, Sendable {
    /// One of several things to do.
    case normal
    /// What people do most often here.
    case primary
    /// What deletes or cannot be undone.
    case destructive
}

/// The content of a ``Button``.
@Model public struct ButtonContent: Hashable, Sendable {
    /// The text on it.
    public var title: String
    /// How much attention it asks for.
    public var role: ButtonRole = .normal
}

/// A view in the place of something that is not there yet, or for which nothing can be shown.
public struct Placeholder: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - text: what to say.
    ///   - isLoading: whether something will take its place.
    public init(_ text: String, isLoading: Bool = false) {
        node = ViewNode(.placeholder(PlaceholderContent(text: text, isLoading: isLoading)))
    }
}

/// The content of a ``Placeholder``.
@Model public struct PlaceholderContent: Hashable, Sendable {
    /// What to say.
    public var text: String
    /// Whether something will take its place.
    public var isLoading: Bool = false
}

/// A failure, in the place of the view that was to be shown.
public struct Failure: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - message: what went wrong, for the people who read the page.
    ///   - advice: what they can do.
    ///   - detail: what exactly went wrong, for programs, terminals and the log; browsers do not show it.
    public init(_ message: String, advice: String? = nil, detail: String? = nil) {
        node = ViewNode(.failure(FailureContent(message: message, advice: advice, detail: detail)))
    }
}

/// The content of a ``Failure``.
@Model public struct FailureContent: Hashable, Sendable {
    /// What went wrong, for the people who read the page.
    public var message: String
    /// What they can do.
    public var advice: String?
    /// What exactly went wrong, for programs, terminals and the log; browsers do not show it.
    public var detail: String?
}
