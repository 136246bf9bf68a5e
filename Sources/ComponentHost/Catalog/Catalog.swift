/// The components that a host can have, from their manifests alone: nothing has been loaded or run.
///
/// An immutable value. Names of components and classes lead to one entry each:
///
/// * Of several components with one name the highest version wins; of equal versions the one that was found
///   first (built-in ones before files, then in the order of the directories and of the file names). The
///   others are listed as shadowed.
/// * Of several components that declare a class of one name, the one that was found first has it; classes of
///   the host come before all. The others are listed in ``conflicts``.
/// * Of several components that provide a service that another requires, the highest version wins, then the one that was
///   found first; those that have another form than the one that was compiled against, and those whose own requirements
///   are not met, are passed over. Classes of the host come before all.
public struct Catalog: Sendable {
    /// Every component, in the order in which they can be loaded: each after those it requires, those
    /// without an order between them by name. Shadowed ones and those with unmet requirements come last.
    public let entries: [Entry]
    /// Every other file of the directories, and why it is no component.
    public let rejectedFiles: [Rejection]
    /// The directories that were not searched, and why.
    public let rejectedDirectories: [Rejection]
    /// Classes that are declared more than once.
    public let conflicts: [ClassConflict]

    private let indexOfName: [String: Int]
    private let indexOfClass: [String: Int]
    private let dependencies: [[Int]]
    /// Where among all that was found the component stands that has the name.
    private let positionOfName: [String: Int]

    /// Nothing at all.
    package static var empty: Catalog { Catalog([]) }

    /// - Parameters:
    ///   - candidates: what was found, in that order.
    ///   - host: what the program itself offers.
    ///   - rejectedFiles: passed through.
    ///   - rejectedDirectories: passed through.
    package init(
        _ candidates: [Candidate], host: HostDeclaration = HostDeclaration(), rejectedFiles: [Rejection] = [],
        rejectedDirectories: [Rejection] = []
    ) {
        let selection = CandidateSelection(candidates, host: host)
        var resolver = RequirementResolver(candidates, selection, host: host)
        let resolution = resolver.resolve()
        let winners = selection.winners

        var entries: [Entry] = []
        var position = [Int](repeating: 0, count: winners.count)
        for node in resolution.order {
            position[node] = entries.count
            entries.append(
                Entry(
                    manifest: candidates[winners[node]].manifest, file: candidates[winners[node]].file,
                    state: resolution.unmet[node].map(Entry.State.unmet) ?? .available,
                    limitations: resolution.limitations[node]))
        }
        for (index, winner) in selection.shadowed {
            entries.append(
                Entry(
                    manifest: candidates[index].manifest, file: candidates[index].file,
                    state: .shadowed(by: candidates[winner].location), limitations: []))
        }
        self.entries = entries
        self.rejectedFiles = rejectedFiles
        self.rejectedDirectories = rejectedDirectories
        conflicts = selection.conflicts
        indexOfName = Dictionary(
            uniqueKeysWithValues: winners.indices.map { (candidates[winners[$0]].manifest.name, position[$0]) })
        positionOfName = Dictionary(
            uniqueKeysWithValues: winners.map { (candidates[$0].manifest.name, $0) })
        indexOfClass = selection.classOwners.mapValues { position[$0] }
        dependencies = resolution.order.map { node in resolution.dependencies[node].map { position[$0] } }
    }

    /// The component of this name, shadowed ones left out; nil when there is none.
    public func entry(named name: String) -> Entry? {
        indexOfName[name].map { entries[$0] }
    }

    /// The component that has the class, whatever its state; nil when none declares it.
    public func entry(ofClass name: String) -> Entry? {
        indexOfClass[name].map { entries[$0] }
    }

    /// Where in the order of finding the component of this name stands; nil when there is none.
    func searchPosition(of name: String) -> Int? { positionOfName[name] }

    /// What has to be loaded before the component of this name, in that order, itself left out: what it
    /// requires, also through others, and the optional ones that are available.
    public func prerequisites(of name: String) -> [Entry] {
        guard let start = indexOfName[name] else { return [] }
        var isNeeded = [Bool](repeating: false, count: start)
        // Dependencies come before their dependents in `entries`.
        for index in stride(from: start, through: 0, by: -1) where index == start || isNeeded[index] {
            guard index < dependencies.count else { continue }
            for dependency in dependencies[index] { isNeeded[dependency] = true }
        }
        return isNeeded.indices.filter { isNeeded[$0] }.map { entries[$0] }
    }
}

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
