/// A mistake on the command line that is found only when the command runs, such as a payload file that cannot be read.
/// The process ends with status 64.
struct UsageError: Error {
    /// The explanation: what was expected and what was found.
    let message: String

    init(_ message: String) { self.message = message }
}
