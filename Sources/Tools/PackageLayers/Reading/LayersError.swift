/// The reason why a package could not be read.
package struct LayersError: Error, Hashable {
    /// What failed, with the path, and what to do.
    package let message: String

    init(_ message: String) { self.message = message }
}
