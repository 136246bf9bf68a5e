import ComponentKit
import Synchronization

extension ComponentRegistry {
    /// - Parameter resourceProblem: returns why the resources of a component cannot be used.
    func componentInfos(_ resourceProblem: (ComponentUnit) -> String?) -> [ComponentInfo] {
        let contents = contents.withLock { $0 }
        let lateReplies = engine.counters.lateReplies
        var infos = contents.components.map { unit in
            ComponentInfo(
                unit, in: contents.running, found: contents.catalog, lateReplies: lateReplies[unit.name] ?? 0,
                resourceProblem: resourceProblem(unit))
        }
        let own = Set(contents.components.compactMap(\.file))
        for entry in contents.catalog.entries {
            guard case .shadowed(let winner) = entry.state else { continue }
            // A file in memory already has a row.
            if let file = entry.file, own.contains(file) { continue }
            infos.append(ComponentInfo(shadowed: entry, by: winner))
        }
        return infos
    }

    /// Scans the directories again; see ``LinkHost/rescan()``.
    ///
    /// - Parameters:
    ///   - publish: receives the components before calls can find those that are new.
    ///   - notify: receives the changes, in the order of the scans.
    func rescan(
        publish: ([ComponentUnit]) -> Void, notify: ([CatalogChange]) -> Void
    ) -> [CatalogChange] {
        scanLock.withLock { _ in
            guard !engine.isClosing else { return [] }
            let changes = scanAgain(publish)
            notify(changes)
            return changes
        }
    }

    private func scanAgain(_ publish: ([ComponentUnit]) -> Void) -> [CatalogChange] {
        let survey = scan.survey().recognizing(contents.withLock { $0.components.compactMap(\.file) })
        let found = survey.catalog(host: scan.host)
        let contract = scan.contract
        let (free, former, changes) = contents.withLock { contents -> ([ClassDirectory], Contents, [CatalogChange]) in
            let former = contents
            // A stop that has begun meanwhile has already read the list of components.
            guard !engine.isClosing else { return ([], former, []) }
            let replacement = UnitReplacement(contents.components, survey: survey, scan: scan)
            contents.replaced = (contents.replaced + replacement.retired.map { Replaced(unit: $0) })
                .filter { $0.unit != nil }
            contents.ordered = contents.ordered.filter(\.isHost) + replacement.ordered
            contents.catalog = found
            contents.running = replacement.catalog
            let classes = ClassDirectory(contents.ordered)
            contents.services = ServiceDirectory(
                contents.ordered, catalog: contents.running, classes: classes, contract: contract)
            publish(contents.ordered)
            // Under the same lock as the units: a call that finds a retired unit finds its successor here.
            let free = directory.replace(with: classes)
            let changes = CatalogDifference(
                from: former.snapshots(), to: contents.snapshots(), former.catalog, found)
            return (free, former, changes.all)
        }
        // What is no longer used is released here, outside the lock.
        withExtendedLifetime((free, former)) {}
        return changes
    }
}

extension ComponentRegistry.Contents {
    /// Returns a snapshot of the state of each component, by name.
    fileprivate func snapshots() -> [String: ComponentSnapshot] {
        let snapshots = components.map { unit in
            (
                unit.name,
                ComponentSnapshot(
                    unit, limitations: running.entry(named: unit.name)?.limitations ?? unit.limitations,
                    found: catalog)
            )
        }
        return Dictionary(snapshots, uniquingKeysWith: { first, _ in first })
    }
}

extension ComponentUnit {
    /// Whether the unit represents the program's own classes.
    var isHost: Bool {
        if case .host = source { true } else { false }
    }
}
