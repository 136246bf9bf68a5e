public import ComponentKit

/// The difference between two views: what to change in the one to get the other.
///
/// ```swift
/// let patch = ViewPatch(from: shown, to: new)
/// try shown.apply(patch)                          // now equal to `new`
/// ```
///
/// A row of a thousand that has changed is one change with that row only. Views with keys keep their identity when
/// others are added, removed or moved; among views without keys, the first is compared with the first of its kind and so
/// on.
@Model public struct ViewPatch: Hashable, Sendable {
    /// The changes, to be made one after the other.
    public var changes: [ViewChange] = []

    /// Whether the views were equal.
    public var isEmpty: Bool { changes.isEmpty }

    /// - Parameter changes: the changes, to be made one after the other.
    public init(changes: [ViewChange] = []) { self.changes = changes }
}

/// A change of a view.
///
/// A path leads from the outermost view to the one that is changed: each number is the index of a view in the one before.
/// It is empty for the outermost view. A path and an index count as they are when all changes before have been made.
@Model public enum ViewChange: Hashable, Sendable {
    /// Another view with everything in it takes the place of the one at the path.
    case replace(path: [Int], with: ViewNode)
    /// What the view at the path shows is that of another one; the views in it stay. The other one has none.
    case update(path: [Int], to: ViewNode)
    /// A view is added to those in the view at the path.
    case insert(path: [Int], index: Int, view: ViewNode)
    /// The view with the index is removed from those in the view at the path.
    case remove(path: [Int], index: Int)
    /// The view with the index `from` is taken out of the view at the path, and then added there at the index `to`.
    case move(path: [Int], from: Int, to: Int)
}

/// Why a patch does not fit a view: it was made for another one.
public struct ViewPatchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The index of the change that does not fit.
    public let change: Int

    /// What does not fit, in words.
    public var description: String { "the change \(change) of the patch leads to a view that does not exist" }
}

extension ViewNode {
    /// Makes the changes of a patch.
    ///
    /// - Throws: ``ViewPatchError`` if the patch was made for another view; this one is not changed then.
    public mutating func apply(_ patch: ViewPatch) throws(ViewPatchError) {
        var copy = self
        for (index, change) in patch.changes.enumerated() {
            guard copy.make(change) else { throw ViewPatchError(change: index) }
        }
        self = copy
    }

    /// - Returns: False if the change does not fit.
    private mutating func make(_ change: ViewChange) -> Bool {
        switch change {
        case .replace(let path, let node):
            at(path[...]) { view in
                view = node
                return true
            }
        case .update(let path, let node):
            at(path[...]) { view in
                let children = view.children
                view = node
                view.children = children
                return node.children.isEmpty
            }
        case .insert(let path, let index, let node):
            at(path[...]) { view in
                guard (0...view.children.count).contains(index) else { return false }
                view.children.insert(node, at: index)
                return true
            }
        case .remove(let path, let index):
            at(path[...]) { view in
                guard view.children.indices.contains(index) else { return false }
                view.children.remove(at: index)
                return true
            }
        case .move(let path, let from, let to):
            at(path[...]) { view in
                guard view.children.indices.contains(from), view.children.indices.contains(to) else { return false }
                view.children.insert(view.children.remove(at: from), at: to)
                return true
            }
        }
    }

    /// Changes the view that a path leads to.
    private mutating func at(_ path: ArraySlice<Int>, _ change: (inout ViewNode) -> Bool) -> Bool {
        guard let index = path.first else { return change(&self) }
        guard children.indices.contains(index) else { return false }
        return children[index].at(path.dropFirst(), change)
    }
}
