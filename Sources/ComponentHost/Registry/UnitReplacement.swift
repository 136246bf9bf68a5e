import ComponentKit

/// Which components go on and which are made anew, when the directories have been looked at again.
///
/// What is in memory stays. What lies there as before stays too, and is tried again if it had failed. All else is made
/// anew from what lies there now.
struct UnitReplacement {
    /// In the order in which they may be loaded.
    private(set) var ordered: [ComponentUnit] = []
    /// Those that have been taken out.
    private(set) var retired: [ComponentUnit] = []
    /// What can be had, with what is in memory in the place of what lies there by now.
    private(set) var catalog = Catalog.empty

    init(_ present: [ComponentUnit], _ survey: CatalogSurvey, _ scan: HostScan) {
        let host = scan.host
        var present = present
        var running = present.filter(\.isInMemory)
        while true {
            catalog = survey.keeping(running.map(\.candidate)).catalog(host: host)
            let staying = staying(of: present, running, scan)
            let outgoing = present.filter { unit in !staying.contains { $0 === unit } }
            // One that cannot be taken out has begun to load meanwhile: then everything is decided again with it.
            let begun = outgoing.filter { !$0.retire() }
            retired += outgoing.filter { unit in !begun.contains { $0 === unit } }
            present = staying + begun
            guard begun.isEmpty else {
                running += begun
                continue
            }
            order(present, scan)
            return
        }
    }

    private func staying(of present: [ComponentUnit], _ running: [ComponentUnit], _ scan: HostScan) -> [ComponentUnit] {
        let inMemory = Set(running.map(ObjectIdentifier.init))
        return present.filter { unit in
            if inMemory.contains(ObjectIdentifier(unit)) { return true }
            guard let entry = catalog.entry(named: unit.name) else { return false }
            return unit.isWhatLies(entry, refusal: scan.refusal(of: entry))
        }
    }

    private mutating func order(_ present: [ComponentUnit], _ scan: HostScan) {
        let byName = Dictionary(present.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for entry in catalog.entries {
            if case .shadowed = entry.state { continue }
            if let unit = byName[entry.manifest.name] {
                if !unit.isInMemory { unit.reset() }
                ordered.append(unit)
            } else if let unit = scan.unit(for: entry) {
                ordered.append(unit)
            }
        }
    }
}

extension ComponentUnit {
    fileprivate var candidate: Catalog.Candidate { Catalog.Candidate(manifest: manifest, file: file) }

    /// Whether a unit for the entry would be the same.
    fileprivate func isWhatLies(_ entry: Catalog.Entry, refusal: LinkError?) -> Bool {
        file == entry.file && limitations == entry.limitations
            && self.refusal?.description == refusal?.description
    }
}
