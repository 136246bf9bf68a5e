import ComponentKit
import Synchronization

extension HostCore {
    func componentInfos() -> [ComponentInfo] {
        let (ordered, catalog) = units.withLock { ($0.ordered, $0.catalog) }
        var infos = ordered.compactMap { unit -> ComponentInfo? in
            if case .host = unit.source { return nil }
            return ComponentInfo(unit)
        }
        for entry in catalog.entries {
            if case .shadowed(let winner) = entry.state { infos.append(ComponentInfo(shadowed: entry, by: winner)) }
        }
        return infos
    }

    /// Looks again; see ``LinkHost/rescan()``.
    func rescan() {
        let catalog = scan.catalog()
        let contract = scan.contract
        let free = units.withLock { units in
            let hosts = units.ordered.filter(\.isHost)
            let components = units.ordered.filter { !$0.isHost }
            let present = Dictionary(components.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            var ordered: [ComponentUnit] = hosts
            for entry in catalog.entries {
                if case .shadowed = entry.state { continue }
                if let unit = present[entry.manifest.name], !unit.retire() {
                    ordered.append(unit)
                } else if let unit = scan.unit(for: entry) {
                    ordered.append(unit)
                }
            }
            let names = Set(ordered.filter { !$0.isHost }.map(\.name))
            ordered += components.filter { !names.contains($0.name) && !$0.retire() }
            units.kept += units.ordered.filter { unit in !ordered.contains { $0 === unit } }
            units.ordered = ordered
            units.catalog = catalog
            let classes = ClassDirectory(ordered)
            units.services = ServiceDirectory(ordered, catalog, classes, contract: contract)
            // In the same step as the units: who finds a unit taken out finds its successor here.
            return replaceDirectory(with: classes, &units)
        }
        for directory in free { HostCore.release(directory) }
    }

    /// Publishes a new directory.
    ///
    /// - Returns: old ones that nobody reads any more, to be let go of.
    private func replaceDirectory(with new: ClassDirectory, _ units: inout Units) -> [UInt] {
        let old = directory.exchange(HostCore.address(of: new), ordering: .sequentiallyConsistent)
        let retired = units.retired + [old]
        units.retired = retired.filter { CallThread.isRead($0) }
        return retired.filter { !units.retired.contains($0) }
    }
}

extension ComponentUnit {
    /// Whether it stands for the program's own classes.
    var isHost: Bool {
        if case .host = source { true } else { false }
    }
}
