/// A kind of handle: pointers that come from one function and go to another, with what releases them.
final class HandleKind: Sendable {
    /// The tag of the struct that it points to, or the name that an annotation gives.
    let name: String
    /// The function that takes one back; nil where nothing has to be done.
    let release: String?

    /// Whose kind it is: libraries that know nothing of each other use the same names.
    let library: String

    init(name: String, library: String, release: String?) {
        self.name = name
        self.library = library
        self.release = release
    }

    /// As manifests call it.
    var words: String { "LinkObject<\(name)>" }
}
