import ComponentKit
import SystemSupport

/// What a view may be at most, so that a component that makes a wrong one costs only its own place on a page.
public struct ViewLimits: Hashable, Sendable {
    /// How many views there may be, with those in other views.
    public var views = 10_000
    /// How deeply views may be in each other.
    public var depth = 24
    /// The size of all texts, pictures and values, in bytes; each counts 16 bytes more.
    public var bytes = 4 << 20
    /// How many values all charts may have; labels and series count as well.
    public var values = 100_000

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
    /// characters besides line breaks and tabs, links lead to the web, numbers are finite and in their range, rows have
    /// as many cells as their table has columns, tabs and fields are where they belong.
    ///
    /// - Throws: ``ViewError`` with the first view that is wrong, and why.
    public func check(_ limits: ViewLimits = .standard) throws(ViewError) {
        var check = ViewCheck(limits)
        try check.visit(self, in: nil)
    }
}

/// Visits views from the outermost one on.
struct ViewCheck {
    private let limits: ViewLimits
    private var (views, bytes, values) = (0, 0, 0)
    /// The views around the one that is visited, outermost first, and that one.
    private var path: [ViewNode] = []

    /// What a text, an action or another part counts besides its own bytes, so that empty ones are limited, too.
    static let overhead = 16

    init(_ limits: ViewLimits) { self.limits = limits }

    func failure(_ reason: String) -> ViewError {
        let place = path.map { node in
            node.key.isEmpty ? node.content.kind : "\(node.content.kind) \(node.key.quoted())"
        }
        return ViewError(place: place.joined(separator: " › "), reason: reason)
    }

    mutating func visit(_ node: ViewNode, in parent: ViewContent?) throws(ViewError) {
        path.append(node.withoutChildren)
        views += 1
        guard views <= limits.views else { throw failure("there are more than \(limits.views) views") }
        guard path.count <= limits.depth else {
            throw failure("views are in each other more than \(limits.depth) deep")
        }
        try text(node.key, "key", lines: false)
        try place(node.content, in: parent)
        try content(node)
        if let action = node.action { try self.action(action) }
        for action in node.sideActions { try self.action(action) }
        var keys: Set<String> = []
        for child in node.children {
            guard child.key.isEmpty || keys.insert(child.key).inserted else {
                throw failure("two of its views have the key \(child.key.quoted())")
            }
            try visit(child, in: node.content)
        }
        path.removeLast()
    }

    /// Checks a text and counts its bytes.
    mutating func text(_ text: String?, _ name: String, lines: Bool = true) throws(ViewError) {
        guard let text else { return }
        try count(text.utf8.count + ViewCheck.overhead)
        for scalar in text.unicodeScalars where scalar.isControl || (!lines && (scalar == "\n" || scalar == "\t")) {
            let code = String(scalar.value, radix: 16, uppercase: true)
            throw failure("its \(name) contains the control character U+\(code)")
        }
    }

    mutating func count(_ size: Int) throws(ViewError) {
        bytes += size
        guard bytes <= limits.bytes else { throw failure("the views have more than \(limits.bytes) bytes") }
    }

    /// Counts the bytes of a value of a field or an action.
    mutating func value(_ value: Payload) throws(ViewError) {
        let size: Int
        do throws(PayloadError) {
            size = try value.cbor(limits: PayloadLimits(depth: 8, nodes: 10_000, bytes: limits.bytes)).count
        } catch {
            throw failure("one of its values cannot be sent: \(error)")
        }
        try count(size)
    }

    /// Whether the view that is visited is in a form.
    var isInForm: Bool { path.contains { if case .form = $0.content { true } else { false } } }

    /// Whether the key of the view that is visited is that of a part of a page frame.
    var isFramePart: Bool { path.last.flatMap { FramePart(rawValue: $0.key) } != nil }

    mutating func countValues(_ count: Int) throws(ViewError) {
        values += count
        guard values <= limits.values else { throw failure("the charts have more than \(limits.values) values") }
    }
}

extension Unicode.Scalar {
    /// Whether this is a control character that no text of a view has. Characters that change the writing direction are
    /// left to renderers, which know how to keep a text apart from its neighbours.
    var isControl: Bool { properties.generalCategory == .control && self != "\n" && self != "\t" }
}
