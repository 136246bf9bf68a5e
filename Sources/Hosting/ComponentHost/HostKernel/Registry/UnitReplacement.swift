import ComponentCatalog
import ComponentKit
import SystemSupport

/// Decides in a rescan which units stay and which are replaced.
///
/// Components in memory stay. Components whose files have not changed stay too, and are tried again if they had failed.
/// All others are replaced by what the directories hold now.
///
/// A scan that nobody has asked for, such as the first one of a watcher, does not try a failed start again if it finds
/// nothing new: the component would be listed as available, and the host taken for ready, without anything mended.
struct UnitReplacement {
    /// The units that stay and the new ones, in loading order.
    private(set) var ordered: [ComponentUnit] = []
    /// The units that have been retired.
    private(set) var retired: [ComponentUnit] = []
    /// The available components, with those in memory in place of the files that the directories hold now.
    private(set) var catalog = Catalog.empty

    /// - Parameter isAutomatic: whether nobody has asked for the scan.
    init(_ present: [ComponentUnit], survey: CatalogSurvey, scan: HostScan, isAutomatic: Bool) {
        let host = scan.host
        var present = present
        var running = present.filter(\.isInMemory)
        while true {
            catalog = survey.keeping(running.map(\.candidate)).catalog(host: host)
            let staying = staying(of: present, running, scan)
            let kept = Set(staying.map(ObjectIdentifier.init))
            let outgoing = present.filter { !kept.contains(ObjectIdentifier($0)) }
            // A unit that cannot be retired has begun to load meanwhile. Decide again, counting it as in memory.
            let begun = outgoing.filter { !$0.retire() }
            let unretired = Set(begun.map(ObjectIdentifier.init))
            retired += outgoing.filter { !unretired.contains(ObjectIdentifier($0)) }
            present = staying + begun
            guard begun.isEmpty else {
                running += begun
                continue
            }
            order(present, scan, isAutomatic: isAutomatic)
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

    private mutating func order(_ present: [ComponentUnit], _ scan: HostScan, isAutomatic: Bool) {
        let byName = Dictionary(firstOf: present.map { ($0.name, $0) })
        var staying: [ComponentUnit] = []
        var isNew = !retired.isEmpty
        for entry in catalog.entries where entry.isActive {
            if let unit = byName[entry.manifest.name] {
                staying.append(unit)
                ordered.append(unit)
            } else if let unit = scan.unit(for: entry) {
                isNew = true
                ordered.append(unit)
            }
        }
        for unit in staying where !unit.isInMemory && (isNew || !isAutomatic || !unit.hasFailedInStart) {
            unit.reset()
        }
    }
}

extension ComponentUnit {
    /// Whether the start of the component, or of one that it requires, has failed. Other failures, such as a missing
    /// library, may be mended by files that no scan compares.
    fileprivate var hasFailedInStart: Bool {
        guard case .failed(let error) = currentState else { return false }
        var failure: LinkError? = error
        while let current = failure, current.code != .createFailed { failure = current.cause }
        return failure != nil
    }

    fileprivate var candidate: Catalog.Candidate { Catalog.Candidate(manifest: manifest, file: file) }

    /// Whether a new unit for the entry would be the same as this one.
    fileprivate func isWhatLies(_ entry: Catalog.Entry, refusal: LinkError?) -> Bool {
        file == entry.file && limitations == entry.limitations
            && self.refusal?.description == refusal?.description
    }
}
