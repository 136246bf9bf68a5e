import ComponentCatalog
import ComponentKit
import SystemSupport

/// Compares the results of two scans of the directories.
struct CatalogDifference {
    /// Components first, by name, then files and directories.
    private(set) var all: [CatalogChange] = []
    /// The reasons why files are not used, by path.
    private let refusals: [ExactText: String]
    /// Files whose refusal has already been reported with their component.
    private var saidFiles: Set<ExactText> = []

    init(
        from former: [String: ComponentSnapshot], to current: [String: ComponentSnapshot], _ formerCatalog: Catalog,
        _ catalog: Catalog
    ) {
        refusals = Dictionary(firstOf: catalog.rejectedFiles.map { (ExactText($0.path), $0.reason) })
        for name in Set(former.keys).union(current.keys).sorted() {
            switch (former[name], current[name]) {
            case (let old?, let new?) where new.isInMemory: compareInMemory(name, from: old, to: new)
            case (let old?, let new?): compare(name, from: old, to: new)
            case (let old?, nil): addVanished(name, old)
            case (nil, let new?): add(.appeared, name, snapshot: new, reason: new.refusal)
            case (nil, nil): break
            }
        }
        let used = Set(current.values.compactMap(\.file))
        addUnused(formerCatalog, catalog, besides: used)
        addRejections(formerCatalog, catalog)
    }

    private mutating func compareInMemory(_ name: String, from old: ComponentSnapshot, to new: ComponentSnapshot) {
        if old.onDisk != new.onDisk || old.found != new.found {
            switch new.onDisk {
            case .same: if old.onDisk != .same { add(.restored, name, snapshot: new) }
            case .gone, .refused: addVanished(name, new)
            case .replaced(let version, let path):
                all.append(
                    CatalogChange(
                        .restartNeeded, component: name, version: version, previousVersion: new.version, path: path,
                        isInMemory: true))
            }
        }
        compareLimitations(name, from: old, to: new)
    }

    private mutating func compare(_ name: String, from old: ComponentSnapshot, to new: ComponentSnapshot) {
        if old.file != new.file {
            add(.replaced, name, snapshot: new, previous: old.version, reason: new.refusal)
        }
        if old.refusal != new.refusal {
            if new.refusal.isEmpty {
                add(.recovered, name, snapshot: new)
            } else if old.file == new.file {
                add(.refused, name, snapshot: new, reason: new.refusal)
            }
        }
        compareLimitations(name, from: old, to: new)
    }

    private mutating func compareLimitations(_ name: String, from old: ComponentSnapshot, to new: ComponentSnapshot) {
        guard old.limitations != new.limitations, new.refusal.isEmpty else { return }
        add(.degraded, name, snapshot: new, reason: new.limitations.message)
    }

    private mutating func addVanished(_ name: String, _ snapshot: ComponentSnapshot) {
        let path = ExactText(snapshot.file?.path ?? "")
        var reason = refusals[path] ?? ""
        if case .refused(let message) = snapshot.onDisk { reason = message }
        add(.vanished, name, snapshot: snapshot, reason: reason)
        saidFiles.insert(path)
    }

    private mutating func add(
        _ kind: CatalogChange.Kind, _ name: String, snapshot: ComponentSnapshot, previous: Version? = nil,
        reason: String = ""
    ) {
        all.append(
            CatalogChange(
                kind, component: name, version: snapshot.version, previousVersion: previous,
                path: snapshot.file?.path, isInMemory: snapshot.isInMemory, reason: reason))
    }

    /// Adds the new files that are not used because another file provides their component, or because it is disabled.
    private mutating func addUnused(_ former: Catalog, _ current: Catalog, besides used: Set<ComponentFile>) {
        let known = Set(former.entries.compactMap(\.file))
        for entry in current.entries {
            guard let file = entry.file, !known.contains(file), !used.contains(file) else { continue }
            let (kind, reason): (CatalogChange.Kind, String)
            switch entry.state {
            case .available, .unmet: continue
            case .shadowed(let winner):
                (kind, reason) = (.shadowed, "\(winner) provides it in the same version or a higher one")
            case .disabled(let setting): (kind, reason) = (.disabled, "disabled by \(setting)")
            }
            all.append(
                CatalogChange(
                    kind, component: entry.manifest.name, version: entry.manifest.version, path: file.path,
                    reason: reason))
        }
    }

    private mutating func addRejections(_ former: Catalog, _ current: Catalog) {
        let oldFiles = Set(former.rejectedFiles)
        // Files whose names are not plugin names are skipped: they come and go while other files are written.
        for rejection in current.rejectedFiles
        where rejection.code != .ignoredName && !oldFiles.contains(rejection)
            && !saidFiles.contains(ExactText(rejection.path))
        {
            all.append(CatalogChange(.fileRefused, path: rejection.path, reason: rejection.reason))
        }
        let oldDirectories = Set(former.rejectedDirectories)
        for rejection in current.rejectedDirectories where !oldDirectories.contains(rejection) {
            all.append(CatalogChange(.directoryRefused, path: rejection.path, reason: rejection.reason))
        }
        let refused = Set(current.rejectedDirectories.map { ExactText($0.path) })
        for path in Set(oldDirectories.map { ExactText($0.path) }).subtracting(refused).sorted() {
            all.append(CatalogChange(.directoryFound, path: path.text))
        }
    }
}

extension [Catalog.Entry.Limitation] {
    /// The unmet optional requirements, as one sentence.
    var message: String { map { "lacks \($0.requirement): \($0.reason)" }.joined(separator: "; ") }
}

/// The state of a component between two scans, compared to find changes.
struct ComponentSnapshot {
    let version: Version
    /// The file that is or would be used; nil when the component is linked into the program.
    let file: ComponentFile?
    let isInMemory: Bool
    /// The reason why the component cannot be loaded; empty when it can.
    let refusal: String
    let limitations: [Catalog.Entry.Limitation]
    let onDisk: OnDiskState
    /// The file of the active version in the directories.
    let found: ComponentFile?

    init(_ unit: ComponentUnit, limitations: [Catalog.Entry.Limitation], found catalog: Catalog) {
        version = unit.manifest.version
        file = unit.file
        isInMemory = unit.isInMemory
        refusal = unit.refusal?.message ?? ""
        self.limitations = limitations
        onDisk = isInMemory ? OnDiskState(of: unit, found: catalog) : .same
        found = catalog.entry(named: unit.name)?.file
    }
}
