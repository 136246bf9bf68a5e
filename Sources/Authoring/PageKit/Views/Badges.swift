public import ComponentKit

/// A short word about the state of something, such as "running" or "3 failed".
///
/// ```swift
/// Badge("running", .success)
/// ```
///
/// The word alone says what it means; the tone only makes it easier to find.
public struct Badge: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - text: the word, on one line.
    ///   - tone: what the word means to the reader.
    public init(_ text: String, _ tone: Tone = .neutral) {
        node = ViewNode(.badge(BadgeContent(text: text, tone: tone)))
    }
}

/// The content of a ``Badge``.
@Model public struct BadgeContent: Hashable, Sendable {
    /// The word, on one line.
    public var text: String
    /// What the word means to the reader.
    public var tone: Tone = .neutral
}

/// What a word or a figure means to the reader, from which a renderer chooses a colour.
@Model public enum Tone: String, Hashable, Sendable, CaseIterable {
    /// Neither good nor bad.
    case neutral
    /// Worth a look: new, chosen or in progress.
    case accent
    /// As it should be.
    case success
    /// Something to be careful about.
    case warning
    /// Something that is wrong.
    case failure
}
