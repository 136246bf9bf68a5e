/// The reason why a package could not be read.
package struct LayersError: Error, Hashable {
    /// What failed, with the path, and what to do, on one line.
    let reason: String
    /// What another program said about it, on any number of lines.
    private let output: String

    init(_ reason: String, output: String = "") {
        self.reason = reason
        self.output = output
    }

    /// The reason, with what another program said.
    package var message: String { output.isEmpty ? reason : "\(reason):\n\(output)" }
}
