import Glibc
import SystemSupport

/// The components that a host found, known from their manifests alone: nothing has been loaded or run.
///
/// The catalog is an immutable value. Each component name and each class name leads to exactly one entry:
///
/// * If several components have the same name, the highest version wins. Among equal versions, the first one found
///   wins: built-in components come before files, and files are ordered by directory, then by file name. The others are
///   listed as shadowed.
/// * If several components declare a class with the same name, the first one found owns it. Classes of the host take
///   precedence over all components. The others are listed in ``conflicts``.
/// * If several components provide a service that another one requires, the highest version wins, then the first one
///   found. Providers are skipped if their form of the service differs from the one that the consumer was compiled
///   against, or if their own requirements are not met. Classes of the host take precedence over all components.
/// * A component that is disabled is listed, but counts as missing in all of this, in every version.
public struct Catalog: Sendable {
    /// Every component, in loading order: each comes after the components that it requires. Where requirements leave a
    /// choice, the order follows the names. Components with unmet requirements come last, then disabled and shadowed
    /// ones.
    public let entries: [Entry]
    /// Every other file in the directories, with the reason why it is not a component. Libraries that descriptions name
    /// are not among them.
    public let rejectedFiles: [Rejection]
    /// The directories that were not searched, with the reasons.
    public let rejectedDirectories: [Rejection]
    /// Classes that more than one component declares, or that the host declares as well.
    public let conflicts: [ClassConflict]
    /// Libraries of which components that can be loaded bring different files.
    package let libraryConflicts: [LibraryConflict]
    /// The positions of the conflicts about libraries of each component.
    let libraryConflictsByComponent: [String: [Int]]
    /// The files elsewhere that the components depend on.
    package let followed: FollowedFiles

    /// The positions of the disabled components in ``entries``.
    private let disabled: Range<Int>
    private let indexOfName: [String: Int]
    private let indexOfClass: [ExactText: Int]
    private let dependencies: [[Int]]
    /// The search position of the active component with each name.
    private let positionOfName: [String: Int]
    /// The positions of rejected files in ``rejectedFiles``, by their paths.
    private let indexOfRejection: [ExactText: Int]

    /// A catalog without components.
    package static var empty: Catalog { Catalog([]) }

    /// - Parameters:
    ///   - candidates: The components that were found, in search order.
    ///   - host: The classes and services that the program itself offers.
    ///   - rejectedFiles: The files that are not used; stored as they are.
    ///   - rejectedDirectories: The directories that were not searched; stored as they are.
    package init(
        _ candidates: [Candidate], host: HostDeclaration = HostDeclaration(), rejectedFiles: [Rejection] = [],
        rejectedDirectories: [Rejection] = []
    ) {
        self.init(
            candidates, host: host, rejectedFiles: rejectedFiles, rejectedDirectories: rejectedDirectories,
            followed: FollowedFiles())
    }

    /// - Parameter followed: The files elsewhere that the components depend on.
    init(
        _ candidates: [Candidate], host: HostDeclaration, rejectedFiles: [Rejection], rejectedDirectories: [Rejection],
        followed: FollowedFiles
    ) {
        let selection = CandidateSelection(candidates, host: host)
        var resolver = RequirementResolver(candidates, selection, host: host)
        let resolution = resolver.resolve()
        let winners = selection.winners

        var entries: [Entry] = []
        var position = [Int](repeating: 0, count: winners.count)
        var libraries = LibraryConflicts()
        for node in resolution.order {
            position[node] = entries.count
            if resolution.unmet[node] == nil {
                let candidate = candidates[winners[node]]
                libraries.add(candidate.libraries, of: candidate.manifest.name)
            }
            entries.append(
                Entry(
                    manifest: candidates[winners[node]].manifest, file: candidates[winners[node]].file,
                    state: resolution.unmet[node].map(Entry.State.unmet) ?? .available,
                    limitations: resolution.limitations[node]))
        }
        let firstDisabled = entries.count
        for (index, setting) in selection.disabled {
            entries.append(
                Entry(
                    manifest: candidates[index].manifest, file: candidates[index].file,
                    state: .disabled(by: setting), limitations: []))
        }
        disabled = firstDisabled..<entries.count
        for (index, winner) in selection.shadowed {
            entries.append(
                Entry(
                    manifest: candidates[index].manifest, file: candidates[index].file,
                    state: .shadowed(by: candidates[winner].location), limitations: []))
        }
        self.entries = entries
        self.rejectedFiles = rejectedFiles
        self.rejectedDirectories = rejectedDirectories
        self.followed = followed
        libraryConflicts = libraries.all
        libraryConflictsByComponent = libraries.byComponent
        conflicts = selection.conflicts
        indexOfName = Dictionary(
            uniqueKeysWithValues: winners.indices.map { (candidates[winners[$0]].manifest.name, position[$0]) })
        positionOfName = Dictionary(
            uniqueKeysWithValues: winners.map { (candidates[$0].manifest.name, $0) })
        indexOfRejection = Dictionary(firstOf: rejectedFiles.enumerated().map { (ExactText($1.path), $0) })
        indexOfClass = selection.classOwners.mapValues { position[$0] }
        dependencies = resolution.order.map { node in resolution.dependencies[node].map { position[$0] } }
    }

    /// Returns the active component with this name; nil when there is none that is enabled.
    public func entry(named name: String) -> Entry? {
        indexOfName[name].map { entries[$0] }
    }

    /// Returns the component that owns the class, whether or not its requirements are met; nil when no component that
    /// is enabled declares the class.
    public func entry(ofClass name: String) -> Entry? {
        indexOfClass[ExactText(name)].map { entries[$0] }
    }

    /// The disabled components, sorted by name. Several files of one component are several entries.
    package var disabledEntries: ArraySlice<Entry> { entries[disabled] }

    /// Returns the search position of the active component with this name; nil when there is none.
    package func searchPosition(of name: String) -> Int? { positionOfName[name] }

    /// Returns why the file at a path is not used; nil if it is, or if there is none.
    package func rejection(at path: String) -> Rejection? {
        indexOfRejection[ExactText(path)].map { rejectedFiles[$0] }
    }

    /// Returns the components that must be loaded before the component with this name, in loading order: its direct and
    /// indirect requirements, including the optional ones that are available. The component itself is not included.
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

    /// Returns the directories to search when the application names none.
    ///
    /// These are the directories in `HSLINK_PATH`, separated by colons (empty entries are ignored). If there are none,
    /// it is `plugins` next to the program. If that does not exist and the program is in a folder named `bin`, it is
    /// `lib/hslink/plugins` next to that folder, as in an installation, provided that this directory exists.
    ///
    /// - Parameters:
    ///   - environment: The environment of the process.
    ///   - executable: The path of the program; empty when it is unknown.
    ///   - exists: Returns whether a file or directory exists at a path.
    /// - Returns: The paths as they were given; empty when the variable is not set and the program's path is unknown.
    package static func defaultDirectories(
        environment: [String: String], executable: String, exists: (String) -> Bool
    ) -> [String] {
        let given = environment["HSLINK_PATH"]?.exactParts(between: ":") ?? []
        if !given.isEmpty { return given }
        guard let slash = executable.utf8.lastIndex(of: UInt8(ascii: "/")) else { return [] }
        let folder = String(executable[..<slash])
        let beside = "\(folder)/plugins"
        let installed = "\(folder.dropLast("/bin".count))/lib/hslink/plugins"
        return [folder.hasExactSuffix("/bin") && !exists(beside) && exists(installed) ? installed : beside]
    }

    /// Returns the default directories of this process.
    package static func defaultDirectories() -> [String] {
        let environment = ["HSLINK_PATH": RunningProgram.variable("HSLINK_PATH")].compactMapValues(\.self)
        return defaultDirectories(environment: environment, executable: RunningProgram.path ?? "") { path in
            unsafe access(path, F_OK) == 0
        }
    }
}

extension Catalog {
    /// A component that was found.
    public struct Entry: Sendable {
        /// Whether the component can be used.
        public enum State: Hashable, Sendable {
            /// It can be loaded.
            case available
            /// Another component with the same name is used instead; `by` is its path, or "built in".
            case shadowed(by: String)
            /// A requirement is not met.
            case unmet(Unmet)
            /// The host's configuration disables it; `by` is the setting with its file, such as
            /// "host.components.ComponentVideo.enabled in /etc/hslink/host.yaml".
            case disabled(by: String)
        }

        /// A requirement that nothing meets.
        public struct Unmet: Hashable, Sendable {
            /// The chain of names from the component through its requirements to the missing one, or around the cycle.
            /// A long chain is shortened with "…" in the middle.
            public var path: [String]
            /// Why the requirement is not met, as a sentence.
            public var reason: String
            /// Further requirements of the component that are not met.
            public var others: [Unmet] = []
            /// Whether the path is around a cycle, or leads to one.
            package internal(set) var isOnCycle = false

            /// The unmet requirements on one line, each in the form "A → B → C: no component C was found"; of a long
            /// list, only the first ones and the number of the others.
            public var message: String {
                let own = "\(path.joined(separator: " → ")): \(reason)"
                let shown = others.prefix(Unmet.shownOthers).map(\.message)
                let rest = others.count - shown.count
                return ([own] + shown + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "; ")
            }

            private static let shownOthers = 8
        }

        /// An optional requirement that is not met. The component works without it.
        public struct Limitation: Hashable, Sendable {
            /// The optional requirement.
            public var requirement: Requirement
            /// Why the requirement is not met, as a sentence.
            public var reason: String
            /// What keeps it from being met.
            package let obstacle: Obstacle

            package enum Obstacle: Hashable, Sendable {
                /// Nothing meets it.
                case missing
                /// This component would meet it, but has an unmet requirement itself.
                case unmet(of: String)
                /// The component that meets it requires this one, so that it is not loaded first.
                case order
            }
        }

        /// The component's manifest.
        public var manifest: Manifest
        /// The component's file; nil when it is linked into the program.
        public var file: ComponentFile?
        /// Whether the component can be used.
        public var state: State
        /// The optional requirements that are not met.
        public var limitations: [Limitation]

        /// Whether it is the active version of a component that is enabled.
        package var isActive: Bool {
            switch state {
            case .available, .unmet: true
            case .shadowed, .disabled: false
            }
        }

        /// The setting that disables it; nil if it is enabled.
        package var disabledBy: String? {
            if case .disabled(let setting) = state { setting } else { nil }
        }
    }

    /// A file that is not used, or a directory that is not searched.
    public struct Rejection: Hashable, Sendable {
        /// The absolute path of a file, or the path of a directory as it was given.
        public var path: String
        /// The machine-readable kind of reason.
        public var code: ComponentFileError.Code
        /// The human-readable reason.
        public var reason: String

        init(path: String, _ error: ComponentFileError) {
            self.path = path
            code = error.code
            reason = error.message
        }

        /// Returns whether both say the same of the same path, byte for byte.
        public static func == (left: Rejection, right: Rejection) -> Bool {
            left.code == right.code && left.path.isExactly(right.path) && left.reason.isExactly(right.reason)
        }

        /// Hashes the path and the code.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ExactText(path))
            hasher.combine(code)
        }
    }

    /// A class that more than one component declares, or that the host declares as well.
    public struct ClassConflict: Hashable, Sendable {
        /// The name of the class.
        public var className: String
        /// The component that owns the class; nil when the host itself does.
        public var winner: String?
        /// The component whose class with that name cannot be called.
        public var loser: String
    }
}
