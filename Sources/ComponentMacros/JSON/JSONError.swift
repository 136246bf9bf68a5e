/// The first place at which a text is not JSON, and why.
struct JSONError: Error, Equatable {
    let message: String
    /// An offset in the text, in bytes; its length where the text ends too early.
    let offset: Int
}
