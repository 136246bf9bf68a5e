/// A kind of handle: pointers that come from one function and go to another, with what releases them.
final class HandleKind: Sendable {
    /// The tag of the struct that it points to, or the name that an annotation gives.
    let name: String
    /// The function that takes one back; nil where nothing has to be done.
    let release: String?

    init(name: String, release: String?) {
        self.name = name
        self.release = release
    }

    /// As manifests call it.
    var words: String { "LinkObject<\(name)>" }
}
