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

extension LibraryDescription {
    /// Reads a description.
    ///
    /// - Throws: `PayloadError` with the path, what was expected and what was found. Problems with single functions are
    ///   listed in ``refusals`` instead.
    package init(_ json: Payload) throws(PayloadError) { try self.init(json, isChecking: false) }

    /// Reads a description to find all that is wrong with it. Annotations that are wrong are left out, so that
    /// ``refusals`` also has what they hide of their functions.
    ///
    /// - Throws: `PayloadError` as when it is only read.
    package init(checking json: Payload) throws(PayloadError) { try self.init(json, isChecking: true) }

    private init(_ json: Payload, isChecking: Bool) throws(PayloadError) {
        var errors = DescriptionErrors(isCollecting: false)
        let text = try DescriptionText(json, &errors)
        var reader = DescriptionReader(text, isChecking: isChecking)
        reader.planAll()
        reader.checkRest()
        self.init(
            name: text.name, version: text.version, libraries: text.libraries, className: text.className,
            functions: reader.functions, variables: reader.variables, constants: reader.constants,
            numbers: reader.numbers, releases: reader.releases, refusals: reader.refusals + reader.hidden,
            manifest: reader.manifest)
    }
}
