import ComponentKit
import PageKit

/// What the rendering of a view depends on, apart from the view itself: its surroundings.
///
/// A change that gives the views in another one a different context replaces all of them; see ``PageOperations``.
struct ViewContext: Hashable {
    /// What a view is in.
    enum Parent: Hashable {
        case list
        case table([TableColumn])
        case tabs
        case other
    }

    var parent = Parent.other
    /// The level of the headings in it, from 2 to 6.
    var level = 2
    /// What tells the form that it is in from others of the section; nil outside of forms.
    var form: String?
    /// Whether the form that it is in asks for a password: a name in it is that of a user.
    var hasPassword = false
    /// How many views are around it.
    var depth = 0

    /// How deeply views are rendered. No view that a page accepts is as deep.
    static let deepest = 64

    /// Returns the context of the views in a view.
    func inside(_ node: ViewNode) -> ViewContext {
        var inner = self
        inner.parent = .other
        inner.depth += 1
        switch node.content {
        case .list(let content):
            inner.parent = .list
            if content.title != nil { inner.level += 1 }
        case .table(let content): inner.parent = .table(content.columns)
        case .tabs: inner.parent = .tabs
        case .tab: inner.level += 1
        case .card(let content): if content.title != nil { inner.level += 1 }
        case .form(let content):
            if content.title != nil { inner.level += 1 }
            if form == nil {
                inner.form = node.action?.fingerprint ?? ""
                inner.hasPassword = node.hasPassword
            }
        default: break
        }
        inner.level = min(inner.level, 6)
        return inner
    }

    /// Whether a view in a list or table is in an element of its own, because it is not made for this place.
    func wraps(_ node: ViewNode) -> Bool {
        switch (parent, node.content) {
        case (.list, .row), (.table, .tableRow): false
        case (.list, _), (.table, _): true
        default: false
        }
    }
}

extension ViewNode {
    /// Whether the view is rendered with a container for other views only if there are any.
    var isLeaf: Bool {
        switch content {
        case .list, .table, .grid, .card, .stack, .tabs, .tab, .floating, .form, .frame: false
        default: true
        }
    }

    /// Whether the view, or one in it, is a field for a password.
    fileprivate var hasPassword: Bool {
        if case .field(let field) = content, field.kind == .password { return true }
        return children.contains(where: \.hasPassword)
    }

    /// Whether the view has an element that others can be put into.
    var hasContainer: Bool { !isLeaf || !children.isEmpty }

    /// Whether the view is a list that says in words that it is empty.
    var saysItIsEmpty: Bool {
        if case .list(let content) = content { children.isEmpty && content.empty != nil } else { false }
    }
}

extension Action {
    /// The action as JSON, without what is nil, and without a role that is normal; nil if it contains what JSON cannot
    /// represent.
    var json: String? {
        guard let entries = try? payload.entries() else { return nil }
        let told = entries.filter { !$0.value.isNull && !($0.key == "role" && role == .normal) }
        return try? Payload(entries: told.map { ($0.key, $0.value) }).json()
    }

    /// Sixteen digits that tell actions apart.
    var fingerprint: String {
        // FNV-1a: these are the forms of one section. A component that makes two alike harms only that section.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in (json ?? "").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(hash, radix: 16)
    }
}
