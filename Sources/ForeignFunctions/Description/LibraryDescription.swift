package import ComponentKit

/// A library whose functions can be called as selectors of a class: what a file `NAME.hslink.json` says.
///
///     {
///       "name": "zlib", "version": "1.3.0", "library": ["libz.so.1"], "class": "Zlib",
///       "declarations": ["unsigned long crc32(unsigned long crc, const uint8_t *buf, unsigned int len);"],
///       "annotations": {"crc32": {"buf": "bytes[len]"}}
///     }
///
/// Reading it opens nothing and runs nothing. Functions that can't be called are listed with the reason; the others
/// are there all the same.
///
/// | key            | what                                                                                     |
/// |----------------|------------------------------------------------------------------------------------------|
/// | `name`         | of the component                                                                         |
/// | `version`      | of the component, as in "1.3.0"                                                          |
/// | `layer`, `summary` | as in manifests; may be missing                                                      |
/// | `library`      | names for the dynamic loader, a text or several: the first that it opens. "./x.so" lies beside the file |
/// | `class`        | under which callers find the functions                                                   |
/// | `declarations` | C: prototypes, and the types that they use; a text or several                            |
/// | `annotations`  | for each function what C does not say: ``Annotation`` has the grammar                    |
/// | `handles`      | for each kind of handle the function that releases one                                   |
/// | `constants`    | names of integers, which callers may give in place of numbers                            |
/// | `rename`       | for functions the selectors by which callers know them                                   |
package struct LibraryDescription: Sendable {
    /// A function, or a declaration, that can't be used.
    package struct Refusal: Sendable, Hashable {
        /// The function, or the place of the declaration.
        package let name: String
        /// Why, as a sentence.
        package let reason: String
    }

    package let name: String
    package let version: String
    let libraries: [String]
    let className: String
    let functions: [FunctionPlan]
    let constants: [String: Int64]
    /// The functions that release something.
    let releases: Set<String>
    /// What can't be used.
    package let refusals: [Refusal]
    /// As a component's manifest says it.
    package let manifest: Payload
}
