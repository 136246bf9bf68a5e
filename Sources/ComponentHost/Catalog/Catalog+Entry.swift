extension Catalog {
    /// A component that was found.
    public struct Entry: Sendable {
        /// Whether the component can be had.
        public enum State: Hashable, Sendable {
            /// It can be loaded.
            case available
            /// Another of the same name took its place; `by` is that one's path, or "built in".
            case shadowed(by: String)
            /// Something that it requires is not there.
            case unmet(Unmet)
        }

        /// A requirement that nothing meets.
        public struct Unmet: Hashable, Sendable {
            /// From the component over those it requires to what is missing, or around the cycle; a long
            /// one has "…" in its middle.
            public var path: [String]
            /// What is missing, as a sentence.
            public var reason: String
            /// Further requirements of the component that nothing meets.
            public var others: [Unmet] = []

            /// As in "A → B → C: no component C was found", one after the other.
            public var message: String {
                let own = "\(path.joined(separator: " → ")): \(reason)"
                let shown = others.prefix(Unmet.shownOthers).map(\.message)
                let rest = others.count - shown.count
                return ([own] + shown + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "; ")
            }

            private static let shownOthers = 8
        }

        /// An optional requirement that is not met: the component works without it.
        public struct Limitation: Hashable, Sendable {
            /// What it would like to have.
            public var requirement: Requirement
            /// Why it has to do without, as a sentence.
            public var reason: String
        }

        /// What it says about itself.
        public var manifest: Manifest
        /// Where it lies; nil when it is linked into the program.
        public var file: ComponentFile?
        /// Whether it can be had.
        public var state: State
        /// What it has to do without.
        public var limitations: [Limitation]
    }

    /// A file or directory that was found and is not used.
    public struct Rejection: Hashable, Sendable {
        /// Of a file absolute, of a directory as it was given.
        public var path: String
        /// The kind of reason, for programs.
        public var code: ComponentFileError.Code
        /// Why, for people.
        public var reason: String

        init(path: String, _ error: ComponentFileError) {
            self.path = path
            code = error.code
            reason = error.message
        }
    }

    /// A class that more than one declares.
    public struct ClassConflict: Hashable, Sendable {
        /// The class.
        public var className: String
        /// The component that has it; nil when the host itself does.
        public var winner: String?
        /// The component whose class of that name cannot be called.
        public var loser: String
    }
}
