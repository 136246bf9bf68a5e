/// Something is wrong with the command line that shows only when the command runs, as a file of arguments
/// that cannot be read. Ends with the usage of the command and status 64.
struct UsageError: Error {
    /// What was expected, what was there.
    let message: String
}
