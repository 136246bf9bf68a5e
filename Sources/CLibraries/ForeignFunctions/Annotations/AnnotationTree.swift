import ComponentKit

/// The annotations of a function, or of a callback or struct in its parameters: one for each name, and nested ones for
/// paths such as "callback.text".
struct AnnotationTree: Sendable {
    /// The annotation of the parameter or field itself.
    var own: Annotation?
    /// The names in the order of the description.
    private(set) var names: [String] = []
    private var children: [String: AnnotationTree] = [:]

    private static let maximumDepth = 16

    /// A tree without annotations.
    static let empty = AnnotationTree()

    subscript(name: String) -> AnnotationTree { children[name] ?? .empty }

    /// Adds an annotation at a path such as "callback.text".
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

    /// Adds the annotation for "...", whose dots do not separate names.
    mutating func insertVariadic(_ annotation: Annotation) {
        names.append("...")
        children["...", default: .empty].own = annotation
    }

    /// All annotations, including nested ones.
    var all: [Annotation] { (own.map { [$0] } ?? []) + names.flatMap { self[$0].all } }

    /// Whether there are no annotations.
    var isEmpty: Bool { own == nil && names.isEmpty }
}
