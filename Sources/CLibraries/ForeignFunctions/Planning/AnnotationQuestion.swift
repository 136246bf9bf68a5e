import CDeclarations

/// Something that a description must say about a parameter before its function can be called, with the answers to choose
/// from.
package struct AnnotationQuestion: Sendable, Hashable {
    /// The key of the annotation: a parameter, "return", "...", or a path such as "callback.text".
    package let parameter: String
    /// The question, as a clause such as `char * needs an annotation: …`.
    package let reason: String
    /// Complete annotations that the description could have under the key, the most probable first; those that let C
    /// use memory longer come before those that let it do so for a shorter time. Empty if none can be proposed.
    package let annotations: [String]
    /// The kind of handles that the function may release, if "handles" could name the function.
    package var released: String?

    /// The obstacle that the function has as long as the description does not answer the question.
    var obstacle: CObstacle { CObstacle(reason, path: AnnotationTree.names(in: parameter)) }

    func within(_ name: String) -> AnnotationQuestion {
        AnnotationQuestion(
            parameter: "\(name).\(parameter)", reason: reason, annotations: annotations, released: released)
    }

    /// Returns annotations as a choice: "a", "b" or "c".
    static func choice(_ annotations: [String]) -> String {
        let quoted = annotations.map { "\"\($0)\"" }
        guard quoted.count > 1, let last = quoted.last else { return quoted.first ?? "" }
        return "\(quoted.dropLast().joined(separator: ", ")) or \(last)"
    }
}
