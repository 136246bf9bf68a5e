import ComponentKit
import Synchronization

extension HostCore {
    func componentInfos() -> [ComponentInfo] {
        let units = units.withLock { $0 }
        var infos = units.components.map { unit in ComponentInfo(unit, in: units.running, found: units.catalog) }
        let own = Set(units.components.compactMap(\.file))
        for entry in units.catalog.entries {
            guard case .shadowed(let winner) = entry.state else { continue }
            // Of what is in memory there is a row already.
            if let file = entry.file, own.contains(file) { continue }
            infos.append(ComponentInfo(shadowed: entry, by: winner))
        }
        return infos
    }

    /// Looks again; see ``LinkHost/rescan()``.
    @discardableResult
    func rescan() -> [CatalogChange] {
        looking.withLock { _ in
            guard !isStopped else { return [] }
            let changes = lookAgain()
            // Under the lock, so that everybody is told in the same order.
            watching.tell(changes)
            return changes
        }
    }

    private func lookAgain() -> [CatalogChange] {
        let survey = scan.survey().recognizing(units.withLock { $0.components.compactMap(\.file) })
        let found = survey.catalog(host: scan.host)
        let contract = scan.contract
        let (free, changes) = units.withLock { units in
            let former = units
            let replacement = UnitReplacement(units.components, survey, scan)
            units.kept += replacement.retired
            units.ordered = units.ordered.filter(\.isHost) + replacement.ordered
            units.catalog = found
            units.running = replacement.catalog
            let classes = ClassDirectory(units.ordered)
            units.services = ServiceDirectory(units.ordered, units.running, classes, contract: contract)
            // In the same step as the units: who finds a unit taken out finds its successor here.
            let free = replaceDirectory(with: classes, &units)
            let changes = CatalogDifference(from: former.standings(), to: units.standings(), former.catalog, found)
            return (free, changes.all)
        }
        for directory in free { HostCore.release(directory) }
        return changes
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

extension HostCore.Units {
    /// Without that of the program's own classes.
    var components: [ComponentUnit] { ordered.filter { !$0.isHost } }

    /// Where each component stands, by name.
    fileprivate func standings() -> [String: ComponentStanding] {
        let standings = components.map { unit in
            (
                unit.name,
                ComponentStanding(
                    unit, limitations: running.entry(named: unit.name)?.limitations ?? unit.limitations,
                    found: catalog.entry(named: unit.name))
            )
        }
        return Dictionary(standings, uniquingKeysWith: { first, _ in first })
    }
}

extension ComponentUnit {
    /// Whether it stands for the program's own classes.
    var isHost: Bool {
        if case .host = source { true } else { false }
    }
}
