package import ComponentKit

/// A library whose functions can be called as selectors of a class, and whose variables can be read by selectors, as
/// described by a file `NAME.hslink.json`.
///
///     {
///       "name": "zlib", "version": "1.3.0", "library": ["libz.so.1"], "class": "Zlib",
///       "declarations": ["unsigned long crc32(unsigned long crc, const uint8_t *buf, unsigned int len);"],
///       "annotations": {"crc32": {"buf": "bytes[len]"}}
///     }
///
/// Reading it opens no library and runs no code. Functions that cannot be called are listed with the reason; the others
/// are available.
///
/// | key            | meaning                                                                                  |
/// |----------------|------------------------------------------------------------------------------------------|
/// | `name`         | the name of the component                                                                |
/// | `version`      | the version of the component, such as "1.3.0"                                            |
/// | `layer`, `summary` | as in manifests; optional                                                            |
/// | `library`      | one or more names for the dynamic loader, tried in order; "./x.so" is next to the description |
/// | `shares`       | the name of a description whose handles these functions take and return too; optional     |
/// | `class`        | the class that has the functions as selectors                                            |
/// | `declarations` | C prototypes, types and variables; one or more strings                                    |
/// | `annotations`  | for each function, what C does not express; see ``Annotation`` for the grammar           |
/// | `handles`      | for each kind of handle, the function that releases it                                   |
/// | `constants`    | named integers, which callers may use instead of numbers                                 |
/// | `rename`       | for each renamed function, the selector by which callers know it                         |
/// | `proposals`    | for each function, annotations to choose from; ignored                                   |
/// | `routes`       | for each function with routes, an array of them, as in manifests                         |
package struct LibraryDescription: Sendable {
    /// A function or a declaration that cannot be used.
    package struct Refusal: Sendable, Hashable {
        /// The name of the function, or the location of the declaration.
        package let name: String
        /// The reason, as a sentence.
        package let reason: String
        /// The selector that the function would have; nil for a declaration or an entry of the description.
        package var selector: String?
        /// What the description must still say about the function, for tools that propose it; empty if something else
        /// is wrong. Answers may raise further questions.
        package var questions: [AnnotationQuestion] = []
    }

    package let name: String
    package let version: String
    package let libraries: [String]
    let className: String
    let functions: [FunctionPlan]
    let variables: [VariablePlan]
    let constants: [String: Int128]
    /// Named floating-point numbers.
    let numbers: [String: Double]
    /// The symbols of the functions that release memory or handles, by their names.
    let releases: [String: String]
    /// The functions and declarations that cannot be used.
    package let refusals: [Refusal]
    /// The equivalent manifest of a component.
    package let manifest: Payload
}
