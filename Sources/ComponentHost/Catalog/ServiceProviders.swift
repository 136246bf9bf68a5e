/// Which components provide which service, from manifests: the highest version first, then in the order of finding.
struct ServiceProviders {
    private var nodes: [String: [Int]] = [:]
    private var obstacles: [String: [String]] = [:]

    /// - Parameters:
    ///   - candidates: what was found.
    ///   - selection: which of them are active, and which has which class: a class that belongs to another
    ///     cannot be called, so it provides nothing.
    init(_ candidates: [Catalog.Candidate], _ selection: CandidateSelection) {
        let byChoice = selection.winners.indices.sorted { left, right in
            let (first, second) = (selection.winners[left], selection.winners[right])
            let versions = (candidates[first].manifest.version, candidates[second].manifest.version)
            return versions.0 == versions.1 ? first < second : versions.0 > versions.1
        }
        for node in byChoice {
            let manifest = candidates[selection.winners[node]].manifest
            for declaration in manifest.classes {
                for service in declaration.provides {
                    if selection.classOwners[declaration.name] == node {
                        if nodes[service]?.last != node { nodes[service, default: []].append(node) }
                    } else {
                        obstacles[service, default: []].append(
                            "\(manifest.name) \(manifest.version) provides it by the class \(declaration.name), "
                                + "which belongs to another component or to the host")
                    }
                }
            }
        }
    }

    /// Positions among the active versions, in the order of choice.
    func nodes(of service: String) -> [Int] { nodes[service] ?? [] }

    /// Why others that say that they provide it cannot, as sentences.
    func obstacles(of service: String) -> [String] { obstacles[service] ?? [] }
}
