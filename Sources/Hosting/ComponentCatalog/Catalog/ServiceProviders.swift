import SystemSupport

/// The components that provide each service according to their manifests: the highest version first, then in search
/// order.
struct ServiceProviders {
    /// The number of each service that a component provides.
    private var numbers: [String: Int] = [:]
    /// The providers of each service, by its number.
    private(set) var nodes: [[Int]] = []
    /// The numbers of the services that each component provides.
    private(set) var services: [[Int]]
    private var obstacles: [String: [String]] = [:]

    /// - Parameters:
    ///   - candidates: The components that were found.
    ///   - selection: The active versions and the owners of classes. A component that does not own a class provides no
    ///     services with it, because the class cannot be called.
    init(_ candidates: [Catalog.Candidate], _ selection: CandidateSelection) {
        let byChoice = selection.winners.indices.sorted { left, right in
            let (first, second) = (selection.winners[left], selection.winners[right])
            let versions = (candidates[first].manifest.version, candidates[second].manifest.version)
            return versions.0 == versions.1 ? first < second : versions.0 > versions.1
        }
        services = [[Int]](repeating: [], count: selection.winners.count)
        for node in byChoice {
            let manifest = candidates[selection.winners[node]].manifest
            for declaration in manifest.classes {
                for service in declaration.provides {
                    if selection.classOwners[ExactText(declaration.name)] == node {
                        add(node, to: service)
                    } else {
                        obstacles[service, default: []].append(
                            "\(manifest.name) \(manifest.version) provides it with the class \(declaration.name), "
                                + "which belongs to another component or to the host")
                    }
                }
            }
        }
    }

    private mutating func add(_ node: Int, to service: String) {
        let number = numbers[service] ?? nodes.count
        if number == nodes.count {
            numbers[service] = number
            nodes.append([])
        }
        // Several classes of a component may provide the service.
        guard nodes[number].last != node else { return }
        nodes[number].append(node)
        services[node].append(number)
    }

    /// Returns the number of a service; nil if no component provides it.
    func number(of service: String) -> Int? { numbers[service] }

    /// Returns sentences that say why further components that declare the service cannot provide it.
    func obstacles(of service: String) -> [String] { obstacles[service] ?? [] }
}
