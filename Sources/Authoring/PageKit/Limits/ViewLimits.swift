import ComponentKit
import SystemSupport

/// The limits of a view, so that a component that makes a wrong one loses only its own place on a page.
public struct ViewLimits: Hashable, Sendable {
    /// How many views there may be, with those in other views.
    public var views = 10_000
    /// How deeply views may be in each other.
    public var depth = 24
    /// The size of all texts, pictures and values, in bytes; each counts 16 bytes more.
    public var bytes = 4 << 20
    /// How many values all charts may have; labels and series count as well.
    public var values = 100_000
    /// How many values the views may be as payload: about 20 for a view, 8 for an action, and one for each cell, value or
    /// label in it. A payload has at most a million.
    public var nodes = 300_000

    /// The limits for a section of a page.
    public init() {}

    /// The limits for a section of a page.
    public static var standard: ViewLimits { ViewLimits() }
}

/// Why a view cannot be shown.
public struct ViewError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where the view is: the kinds and keys from the outermost view on, such as `list › row "42"`.
    public let place: String
    /// What is wrong with it.
    public let reason: String

    /// The place and the reason.
    public var description: String { place.isEmpty ? reason : "\(place): \(reason)" }
}

extension ViewNode {
    /// Checks a view that a component has sent.
    ///
    /// Beyond the limits, this checks what a renderer relies on: keys are unique among siblings, texts have no control
    /// characters except line breaks and tabs, links lead to the web, numbers are finite and in their range, rows have
    /// as many cells as their table has columns, tabs and fields are where they belong.
    ///
    /// - Returns: About how many values it is as payload.
    /// - Throws: ``ViewError`` with the first view that is wrong, and why.
    @discardableResult
    public func check(_ limits: ViewLimits = .standard) throws(ViewError) -> Int {
        var check = ViewCheck(limits)
        try check.visit(self, in: nil)
        try check.end(self)
        return check.nodes
    }
}

/// Visits views from the outermost one on.
struct ViewCheck {
    private let limits: ViewLimits
    private var (views, bytes, values) = (0, 0, 0)
    private(set) var nodes = 0
    /// The actions of forms.
    private var formActions: Set<Action> = []
    /// The kinds and keys of the views around the one that is visited, outermost first, and of that one.
    private var path: [(kind: String, key: String)] = []
    /// How many of them are forms.
    private var forms = 0

    /// What a string, an action or another part counts beyond its own bytes, so that empty ones are limited, too.
    static let overhead = 16

    init(_ limits: ViewLimits) { self.limits = limits }

    func failure(_ reason: String) -> ViewError {
        let place = path.map { $0.key.isEmpty ? $0.kind : "\($0.kind) \($0.key.quoted())" }
        return ViewError(place: place.joined(separator: " › "), reason: reason)
    }

    mutating func visit(_ node: ViewNode, in parent: ViewContent?) throws(ViewError) {
        let isForm = if case .form = node.content { true } else { false }
        path.append((node.content.kind, node.key))
        forms += isForm ? 1 : 0
        views += 1
        try countNodes(20)
        guard views <= limits.views else { throw failure("there are more than \(limits.views) views") }
        guard path.count <= limits.depth else {
            throw failure("views are nested more than \(limits.depth) deep")
        }
        try text(node.key, "key", lines: false)
        try place(node.content, in: parent)
        try content(node)
        if let action = node.action {
            try self.action(action)
            if isForm, !formActions.insert(action).inserted { throw failure("another form has the same action") }
        }
        for action in node.sideActions { try self.action(action) }
        var keys: Set<String> = []
        for child in node.children {
            guard child.key.isEmpty || keys.insert(child.key).inserted else {
                throw failure("two of its views have the key \(child.key.quoted())")
            }
            try visit(child, in: node.content)
        }
        forms -= isForm ? 1 : 0
        path.removeLast()
    }

    /// Checks a text and counts its bytes.
    mutating func text(_ text: String?, _ name: String, lines: Bool = true) throws(ViewError) {
        guard let text else { return }
        try count(text.utf8.count + ViewCheck.overhead)
        if let scalar = text.firstControl(lines: lines) {
            throw failure("its \(name) contains the control character U+\(String(scalar, radix: 16, uppercase: true))")
        }
    }

    mutating func count(_ size: Int) throws(ViewError) {
        bytes += size
        guard bytes <= limits.bytes else { throw failure("the views have more than \(limits.bytes) bytes") }
    }

    /// Counts the bytes of a value of a field or an action.
    mutating func value(_ value: Payload) throws(ViewError) {
        let size: Int
        let count: Int
        do throws(PayloadError) {
            // With the views around it and the page, it is less deep than a payload may be.
            size = try value.cbor(limits: PayloadLimits(depth: 5, nodes: 10_000, bytes: limits.bytes)).count
            count = try value.count
        } catch {
            throw failure("one of its values cannot be sent: \(error)")
        }
        try self.count(size)
        try countNodes(count)
    }

    /// Counts what the view is as payload.
    mutating func countNodes(_ count: Int) throws(ViewError) {
        nodes += count
        guard nodes <= limits.nodes else { throw failure("the views are more than \(limits.nodes) values") }
    }

    /// Checks what only the whole view tells: a person who fills in a form needs to be understood as such.
    func end(_ root: ViewNode) throws(ViewError) {
        guard !formActions.isEmpty, let action = root.otherAction(in: formActions) else { return }
        throw ViewError(
            place: "",
            reason: "a form and another view have the same action\(action.title.map { " \($0.quoted())" } ?? "")")
    }

    /// Whether the view that is visited is in a form.
    var isInForm: Bool { forms > 0 }

    /// Whether the key of the view that is visited is that of a part of a page frame.
    var isFramePart: Bool { path.last.flatMap { FramePart(rawValue: $0.key) } != nil }

    mutating func countValues(_ count: Int) throws(ViewError) {
        values += count
        try countNodes(count)
        guard values <= limits.values else { throw failure("the charts have more than \(limits.values) values") }
    }
}

extension ViewNode {
    /// Returns an action of a set that something other than a form has.
    fileprivate func otherAction(in forms: Set<Action>) -> Action? {
        let isForm = if case .form = content { true } else { false }
        if !isForm, let action, forms.contains(action) { return action }
        if let action = sideActions.first(where: forms.contains) { return action }
        for child in children {
            if let found = child.otherAction(in: forms) { return found }
        }
        return nil
    }
}

extension Payload {
    /// How many values it is, with those in it.
    fileprivate var count: Int {
        get throws(PayloadError) {
            var count = 1
            switch kind {
            case .array: for item in try items() { count += try item.count }
            case .map: for entry in try entries() { count += try entry.value.count }
            default: break
            }
            return count
        }
    }
}

extension String {
    /// The first control character that no text of a view has; nil if there is none. Characters that change the writing
    /// direction are left to renderers, which know how to keep a text apart from its neighbours.
    ///
    /// - Parameter lines: Whether line breaks and tabs are allowed.
    func firstControl(lines: Bool) -> UInt32? {
        // Of the general category Cc are the characters below U+0020 and those from U+007F to U+009F, and these are
        // stable: their UTF-8 is one byte, or C2 and another one.
        var former: UInt8 = 0
        for byte in utf8 {
            if byte < 0x20 {
                guard lines, byte == 0x0A || byte == 0x09 else { return UInt32(byte) }
            } else if byte == 0x7F || (former == 0xC2 && byte < 0xA0) {
                return UInt32(byte)
            }
            former = byte
        }
        return nil
    }
}
