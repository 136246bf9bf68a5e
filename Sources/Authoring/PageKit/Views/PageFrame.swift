public import ComponentKit

/// The frame around the sections of a page: the view of a page's delegate.
///
/// ```swift
/// @PageModule("member.frame")
/// func frame(_ context: PageContext) async throws -> some View {
///     PageFrame(title: "Welcome, \(user.name)") {
///         Button("Home", .show(page: "home"))
///         Button("Sign out", .call("signOut"))
///     }
///     .header { Text("\(user.name)'s studio", style: .title) }
///     .footer { Text("Signed in since \(since)", style: .caption) }
/// }
/// ```
public struct PageFrame: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - title: the title of the page; nil for the one that the page has.
    ///   - navigation: what leads to other pages, usually of type ``Button``.
    public init(title: String? = nil, @ViewBuilder navigation: () throws -> [ViewNode]) rethrows {
        node = ViewNode(.frame(FrameContent(title: title)))
        add(.navigation, try navigation())
    }

    /// Adds the views above the first section.
    public func header(@ViewBuilder _ views: () throws -> [ViewNode]) rethrows -> PageFrame {
        var copy = self
        copy.add(.header, try views())
        return copy
    }

    /// Adds the views below the last section.
    public func footer(@ViewBuilder _ views: () throws -> [ViewNode]) rethrows -> PageFrame {
        var copy = self
        copy.add(.footer, try views())
        return copy
    }

    private mutating func add(_ part: FramePart, _ views: [ViewNode]) {
        node.children.removeAll { $0.key == part.rawValue }
        guard !views.isEmpty else { return }
        var stack = ViewNode(.stack(StackContent(direction: part == .navigation ? .horizontal : .vertical)), views)
        stack.key = part.rawValue
        node.children.append(stack)
    }
}

/// The contents of a ``PageFrame`` apart from its parts.
@Model public struct FrameContent: Hashable, Sendable {
    /// The title of the page; nil for the one that the page has.
    public var title: String?
}

/// The parts of a ``PageFrame``: the keys of the stacks in it.
public enum FramePart: String, Sendable, CaseIterable {
    /// What leads to other pages.
    case navigation
    /// The views above the first section.
    case header
    /// The views below the last section.
    case footer
}

extension ViewNode {
    /// The views of a part of a ``PageFrame``; those of the view itself as its header if it is another view.
    public func views(of part: FramePart) -> [ViewNode] {
        guard case .frame = content else { return part == .header ? [self] : [] }
        return children.first { $0.key == part.rawValue }?.children ?? []
    }
}
