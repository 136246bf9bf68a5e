import SystemSupport

extension Catalog {
    /// A component that was found, before its requirements are resolved.
    package struct Candidate: Sendable {
        package var manifest: Manifest
        /// The file; nil when the component is linked into the program.
        package var file: ComponentFile?
        /// Whether this component is already running. It then stays the active version, whatever file is on disk
        /// now, and its requirements count as met.
        package var isInMemory = false
        /// The setting that disables this component, and its file; nil if it is enabled.
        var disabledBy: String?
        /// The libraries that it brings.
        var libraries: [BroughtLibrary] = []

        package init(manifest: Manifest, file: ComponentFile? = nil, isInMemory: Bool = false) {
            self.manifest = manifest
            self.file = file
            self.isInMemory = isInMemory
        }

        init(manifest: Manifest, file: ComponentFile, libraries: [BroughtLibrary]) {
            self.init(manifest: manifest, file: file)
            self.libraries = libraries
        }

        /// The file's path, or "built in", for messages.
        var location: String { file?.path ?? "built in" }

        /// Whether this candidate becomes the active version instead of `other`, which was found before it.
        func takesPlace(of other: Candidate) -> Bool {
            guard isInMemory == other.isInMemory else { return isInMemory }
            return manifest.version > other.manifest.version
        }
    }
}

/// Selects the active version of each component and the owner of each class.
struct CandidateSelection {
    /// The indices of the active candidates, sorted by name.
    private(set) var winners: [Int] = []
    /// The other candidates, each with the active one that has its name; sorted by name, then in search order.
    private(set) var shadowed: [(index: Int, winner: Int)] = []
    /// The candidates that are disabled, each with the setting; sorted by name, then in search order.
    private(set) var disabled: [(index: Int, setting: String)] = []
    /// For each class, the position in `winners` of the component that owns it.
    private(set) var classOwners: [ExactText: Int] = [:]
    private(set) var conflicts: [Catalog.ClassConflict] = []

    init(_ candidates: [Catalog.Candidate], host: HostDeclaration) {
        let hostClasses = Set(host.classes.map { ExactText($0.name) })
        var groups: [String: [Int]] = [:]
        for (index, candidate) in candidates.enumerated() { groups[candidate.manifest.name, default: []].append(index) }
        for (_, all) in groups.sorted(by: { $0.key < $1.key }) {
            for index in all {
                if let setting = candidates[index].disabledBy { disabled.append((index, setting)) }
            }
            let group = all.filter { candidates[$0].disabledBy == nil }
            guard !group.isEmpty else { continue }
            var winner = group[0]
            for index in group where candidates[index].takesPlace(of: candidates[winner]) { winner = index }
            winners.append(winner)
            for index in group where index != winner { shadowed.append((index, winner)) }
        }

        let byFinding = winners.enumerated().sorted { $0.element < $1.element }
        for (position, index) in byFinding {
            let manifest = candidates[index].manifest
            for declaration in manifest.classes {
                let name = declaration.name
                let owner = classOwners[ExactText(name)]
                if owner != nil || hostClasses.contains(ExactText(name)) {
                    conflicts.append(
                        Catalog.ClassConflict(
                            className: name, winner: owner.map { candidates[winners[$0]].manifest.name },
                            loser: manifest.name))
                } else {
                    classOwners[ExactText(name)] = position
                }
            }
        }
    }
}

/// The classes and the contract that the program itself offers to its components.
package struct HostDeclaration: Sendable {
    /// The program's own link classes.
    package var classes: [ClassDeclaration] = []
    /// The services and models that the program was compiled with.
    package var contract = Contract.empty

    package init(classes: [ClassDeclaration] = [], contract: Contract = .empty) {
        self.classes = classes
        self.contract = contract
    }

    func classDeclaration(_ name: String) -> ClassDeclaration? { classes.first { $0.name.isExactly(name) } }

    /// Returns the first class of the program that provides the service.
    func provider(of service: String) -> ClassDeclaration? { classes.first { $0.provides.containsExactly(service) } }
}
