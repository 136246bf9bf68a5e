import CDeclarations
import ComponentKit

extension LibraryDescription {
    /// A function, a declaration or an entry of a description that cannot be used.
    package struct Refusal: Sendable, Hashable {
        /// The name of the function, or the location of the declaration.
        package let name: String
        /// What is wrong, and where.
        let fault: Fault
        /// The selector that the function would have; nil for a declaration or an entry of the description.
        package var selector: String?
        /// What the description must still say about the function, for tools that propose it; empty if something else
        /// is wrong. Answers may raise further questions.
        package var questions: [AnnotationQuestion] = []

        /// The reason, as a sentence.
        package var reason: String {
            switch fault {
            case .text(_, let message), .entry(_, let message), .release(_, let message): message
            case .annotation(let error): "its annotations are invalid: \(error)"
            case .declaration(_, let obstacle, _): obstacle.reason
            }
        }
    }

    /// What is wrong in a description, and where.
    enum Fault: Sendable, Hashable {
        /// The declarations cannot be read at this place.
        case text(CPlace, String)
        /// What is declared at this place cannot be used, because of the annotation with the key; of the declaration
        /// itself, or of what the description does not say, if the key is nil.
        case declaration(CPlace, CObstacle, key: String?)
        /// An annotation cannot be read.
        case annotation(PayloadError)
        /// The entry under the name in this section of the description is wrong.
        case entry(section: String, String)
        /// The function cannot release what the value at this path says.
        case release([PayloadError.PathElement], String)
    }
}
