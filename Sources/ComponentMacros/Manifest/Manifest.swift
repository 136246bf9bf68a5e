/// What a checked manifest says, as far as the expansion needs it. Everything else travels as text in the note.
struct Manifest: Equatable {
    /// How many instances of a link class a component makes.
    enum Instances: String, CaseIterable {
        /// One, made at the first call.
        case shared
        /// A new one for every call.
        case perCall
        /// One for each component that calls, and one for the host's own code.
        case perConsumer
    }

    struct LinkClass: Equatable {
        let name: String
        /// The Swift type behind it.
        let type: String
        let instances: Instances
    }

    let name: String
    let version: String
    /// The Swift type that stands for the component's life; nil when it has no state of its own.
    let type: String?
    let classes: [LinkClass]
}
