import ComponentKit

/// The annotations of a function, or of a callback or struct inside of it: one for each name, and those of what is
/// inside, as in "callback.text".
struct AnnotationTree: Sendable {
    /// Of the thing itself.
    var own: Annotation?
    /// In the order of the description.
    private(set) var names: [String] = []
    private var children: [String: AnnotationTree] = [:]

    private static let maximumDepth = 16

    /// Nothing is said.
    static let empty = AnnotationTree()

    subscript(name: String) -> AnnotationTree { children[name] ?? .empty }

    /// Puts an annotation at a path as in "callback.text".
    mutating func insert(_ annotation: Annotation, at path: Substring, depth: Int = 1) throws(PayloadError) {
        guard depth <= AnnotationTree.maximumDepth else {
            throw PayloadError(expected: "at most \(AnnotationTree.maximumDepth) names with dots", found: "more")
        }
        let name = String(path.prefix { $0 != "." })
        guard !name.isEmpty else { throw PayloadError(expected: "a name", found: "nothing") }
        if children[name] == nil { names.append(name) }
        let rest = path.dropFirst(name.count)
        if rest.isEmpty {
            children[name, default: .empty].own = annotation
        } else {
            try children[name, default: .empty].insert(annotation, at: rest.dropFirst(), depth: depth + 1)
        }
    }

    /// Puts the annotation of "..." there, whose dots lead nowhere.
    mutating func insertVariadic(_ annotation: Annotation) {
        names.append("...")
        children["...", default: .empty].own = annotation
    }

    /// Every annotation, those inside too.
    var all: [Annotation] { (own.map { [$0] } ?? []) + names.flatMap { self[$0].all } }

    /// Whether nothing is said.
    var isEmpty: Bool { own == nil && names.isEmpty }
}
