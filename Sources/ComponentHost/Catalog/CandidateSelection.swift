extension Catalog {
    /// A component before it is known whether it can be had.
    package struct Candidate: Sendable {
        package var manifest: Manifest
        /// Nil when it is linked into the program.
        package var file: ComponentFile?
        /// Whether it is the one that runs: then it is the active version, whatever lies there by now, and what it
        /// requires has been met.
        package var isInMemory = false

        package init(manifest: Manifest, file: ComponentFile? = nil, isInMemory: Bool = false) {
            self.manifest = manifest
            self.file = file
            self.isInMemory = isInMemory
        }

        /// Where it lies, for messages.
        var location: String { file?.path ?? "built in" }

        /// Whether it is active rather than the other one, which was found before it.
        func takesPlace(of other: Candidate) -> Bool {
            guard isInMemory == other.isInMemory else { return isInMemory }
            return manifest.version > other.manifest.version
        }
    }
}

/// Which of the components that were found are active, and which has which class.
struct CandidateSelection {
    /// Indices of the active candidates, by name.
    private(set) var winners: [Int] = []
    /// The others, with the active one; by name and order of finding.
    private(set) var shadowed: [(index: Int, winner: Int)] = []
    /// The position in `winners` of the component that has a class.
    private(set) var classOwners: [String: Int] = [:]
    private(set) var conflicts: [Catalog.ClassConflict] = []

    init(_ candidates: [Catalog.Candidate], host: HostDeclaration) {
        let hostClasses = Set(host.classes.map(\.name))
        var groups: [String: [Int]] = [:]
        for (index, candidate) in candidates.enumerated() { groups[candidate.manifest.name, default: []].append(index) }
        for (_, group) in groups.sorted(by: { $0.key < $1.key }) {
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
                let owner = classOwners[name]
                if owner != nil || hostClasses.contains(name) {
                    conflicts.append(
                        Catalog.ClassConflict(
                            className: name, winner: owner.map { candidates[winners[$0]].manifest.name },
                            loser: manifest.name))
                } else {
                    classOwners[name] = position
                }
            }
        }
    }
}

/// What the program itself offers to its components.
package struct HostDeclaration: Sendable {
    /// Its own link classes.
    package var classes: [ClassDeclaration] = []
    /// The services and models that the program was compiled with.
    package var contract = Contract.empty

    package init(classes: [ClassDeclaration] = [], contract: Contract = .empty) {
        self.classes = classes
        self.contract = contract
    }

    func classDeclaration(_ name: String) -> ClassDeclaration? { classes.first { $0.name == name } }

    /// The first of its classes that provides the service.
    func provider(of service: String) -> ClassDeclaration? { classes.first { $0.provides.contains(service) } }
}
