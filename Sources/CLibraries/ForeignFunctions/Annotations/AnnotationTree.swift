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

    /// Returns the names in the key of an annotation, such as "callback.text". The dots of "..." do not separate names.
    static func names(in key: String) -> [String] {
        key == "..." ? [key] : key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    subscript(name: String) -> AnnotationTree { children[name] ?? .empty }

    /// Adds the annotation under a key.
    mutating func insert(_ annotation: Annotation, under key: String) throws(PayloadError) {
        let path = AnnotationTree.names(in: key)
        guard !path.prefix(AnnotationTree.maximumDepth).contains("") else {
            throw PayloadError(expected: "a name", found: "nothing")
        }
        guard path.count <= AnnotationTree.maximumDepth else {
            throw PayloadError(expected: "at most \(AnnotationTree.maximumDepth) names with dots", found: "more")
        }
        set(annotation, at: path[...])
    }

    /// Removes the annotation under a key.
    mutating func remove(under key: String) { set(nil, at: AnnotationTree.names(in: key)[...]) }

    private mutating func set(_ annotation: Annotation?, at path: ArraySlice<String>) {
        guard let name = path.first else {
            own = annotation
            return
        }
        if children[name] == nil { names.append(name) }
        children[name, default: .empty].set(annotation, at: path.dropFirst())
        // Nothing stays of names without annotations.
        if children[name]?.isEmpty == true {
            children[name] = nil
            names.removeAll { $0 == name }
        }
    }

    /// All annotations, including nested ones.
    var all: [Annotation] { (own.map { [$0] } ?? []) + names.flatMap { self[$0].all } }

    /// Whether there are no annotations.
    var isEmpty: Bool { own == nil && names.isEmpty }
}
