public import ComponentKit

/// A part of a page, as a value: what is to be shown, not how.
///
/// ```swift
/// List(addresses, empty: "No addresses yet.") { address in
///     Row(address.label, detail: address.city)
///         .key(address.id)
///         .action(.open("studio://owner/address/\(address.id)"))
///         .side(.call("delete", ["id": address.id.payload], title: "Delete", confirm: "Delete \(address.label)?"))
/// }
/// ```
///
/// Views are values of a few types, such as ``Text``, ``List``, ``Form`` and ``Chart``. All of them wrap a ``ViewNode``,
/// the form in which they travel. A function that returns `some View` makes a new one from others. No view contains
/// markup: a renderer shows it on a terminal, in a browser or elsewhere, with everything that a component says as text.
public protocol View: Sendable {
    /// The view in the form in which it travels.
    var node: ViewNode { get set }
}

extension View {
    /// Names the view among its siblings.
    ///
    /// A view with a key keeps its identity when others are added, removed or moved, so that only what has changed is
    /// sent and the reader's place is kept. Two siblings with the same key are an error.
    public func key(_ key: some CustomStringConvertible) -> Self { changed { $0.key = key.description } }

    /// Sets what happens when a person chooses the view.
    public func action(_ action: Action) -> Self { changed { $0.action = action } }

    /// Adds an action beside the main one: a button at the end of a row, or what appears when it is swiped.
    ///
    /// - Parameter action: the action; nil to add none.
    public func side(_ action: Action?) -> Self {
        changed { node in
            if let action { node.sideActions.append(action) }
        }
    }

    func changed(_ change: (inout ViewNode) -> Void) -> Self {
        var copy = self
        change(&copy.node)
        return copy
    }
}

/// A view as it travels: what it shows, and the views in it.
///
/// Every renderer and every tool reads this type. Components make it through the types that conform to ``View``.
@Model public struct ViewNode: View, Hashable {
    /// The content of the view, without the views in it.
    public var content: ViewContent
    /// The name of the view among its siblings; empty if it has none.
    public var key: String = ""
    /// What happens when a person chooses the view.
    public var action: Action?
    /// Further actions, in order.
    public var sideActions: [Action] = []
    /// The views in it, in order.
    public var children: [ViewNode] = []

    /// The view itself.
    public var node: ViewNode {
        get { self }
        set { self = newValue }
    }

    init(_ content: ViewContent, _ children: [ViewNode] = []) {
        self.content = content
        self.children = children
    }

    /// The view without the views in it.
    var withoutChildren: ViewNode {
        var copy = self
        copy.children = []
        return copy
    }
}
