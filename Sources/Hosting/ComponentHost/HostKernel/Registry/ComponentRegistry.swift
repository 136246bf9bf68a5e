import ComponentCatalog
import ComponentKit
import Synchronization
import SystemSupport

/// The components of a host and their states. A scan finds them, a rescan replaces them, and calls load them on demand.
final class ComponentRegistry: Sendable {
    /// The parameters of the host's scans, kept for rescans.
    let scan: HostScan
    let engine: CallEngine
    /// The current directory of classes.
    let directory: Snapshot<ClassDirectory>
    let contents: Lock<Contents>
    /// Held during a scan, so that an older scan does not replace a newer one.
    let scanLock = Lock<Void>(())

    /// Everything that the host knows about its components, guarded by one lock.
    @safe
    struct Contents {
        /// The contents of the directories.
        var catalog: Catalog
        /// The same, but with components in memory in place of the files that the directories hold now.
        var running: Catalog
        /// The services of the units in `ordered`.
        var services: ServiceDirectory
        /// The units in loading order. They are stopped in reverse order.
        var ordered: [ComponentUnit] = []
        /// Units that have been replaced by newer ones but still have calls.
        var replaced: [Replaced] = []
    }

    /// A unit that has been replaced. Only the calls to it keep it alive.
    struct Replaced {
        weak var unit: ComponentUnit?
    }

    init(_ scan: HostScan, _ engine: CallEngine) {
        self.scan = scan
        self.engine = engine
        let catalog = scan.survey().catalog(host: scan.host)
        let ordered = [scan.hostUnit()] + scan.units(of: catalog)
        let classes = ClassDirectory(ordered, disabled: catalog.disabledEntries)
        let services = ServiceDirectory(ordered, catalog: catalog, classes: classes, contract: scan.contract)
        contents = Lock(Contents(catalog: catalog, running: catalog, services: services, ordered: ordered))
        directory = Snapshot(classes)
    }

    /// Returns the component with this name. The program's own classes do not count as one.
    func unit(named name: String) -> ComponentUnit? {
        contents.withLock { contents in contents.ordered.first { $0.name.isExactly(name) && !$0.isHost } }
    }

    /// All units: replaced ones that still have calls, then the others in loading order.
    var all: [ComponentUnit] {
        contents.withLock { contents in contents.replaced.compactMap(\.unit) + contents.ordered }
    }

    // MARK: - The directory of classes

    /// Looks up a class.
    @inline(__always)
    func find(_ className: borrowing String) -> FoundClass { unsafe found { unsafe $0.find(className) } }

    /// Looks up the class of a target.
    @inline(__always)
    func find(target: borrowing String) -> FoundClass { unsafe found { unsafe $0.find(target: target) } }

    @inline(__always)
    private func found(_ look: (ClassDirectory) -> Unmanaged<ClassEntry>?) -> FoundClass {
        // A unit may be replaced at any time, so a class that is not in memory is retained before the snapshot ends.
        directory.read { directory in
            guard let entry = unsafe look(directory) else { return .none }
            if let loaded = unsafe entry._withUnsafeGuaranteedRef({ unsafe $0.loadedClass }) {
                return unsafe .loaded(loaded)
            }
            return unsafe ComponentRegistry.listed(entry)
        }
    }

    @inline(never)
    private static func listed(_ entry: Unmanaged<ClassEntry>) -> FoundClass {
        let entry = unsafe entry.takeUnretainedValue()
        return .listed(ListedClass(entry: entry, unit: entry.unit))
    }

    /// Returns a class that a component declares, loaded or not.
    func listed(_ className: String) -> ListedClass? { unsafe listed { unsafe $0.find(className) } }

    /// Returns the class of a target, loaded or not.
    func listed(target: String) -> ListedClass? { unsafe listed { unsafe $0.find(target: target) } }

    private func listed(_ look: (ClassDirectory) -> Unmanaged<ClassEntry>?) -> ListedClass? {
        directory.read { directory in
            guard let entry = unsafe look(directory)?.takeUnretainedValue() else { return nil }
            return ListedClass(entry: entry, unit: entry.unit)
        }
    }

    // MARK: - Methods

    /// Returns the method of a class in memory; nil if there is none.
    @inline(__always)
    func find(
        _ selector: borrowing String, _ kind: SelectorKind, of linkClass: Unmanaged<LoadedClass>
    ) -> UnsafePointer<MethodEntry>? {
        unsafe linkClass._withUnsafeGuaranteedRef { unsafe $0.find(selector, kind) }
    }

    /// Returns the method of a class, and loads its component first if necessary.
    ///
    /// - Parameters:
    ///   - caller: the calling component; nil for the host's own code.
    ///   - isWanted: whether a caller still waits for the result.
    /// - Throws: `LinkError` with code ``LinkError/Code/selectorNotFound``, ``LinkError/Code/notLoaded``,
    ///   ``LinkError/Code/stopped``, ``LinkError/Code/wouldDeadlock``, ``LinkError/Code/cancelled`` or
    ///   ``LinkError/Code/tooDeep``.
    @inline(never)
    func resolve(
        _ listed: ListedClass, _ selector: String, kind: SelectorKind, for caller: ComponentUnit?, in core: HostCore,
        isWanted: () -> Bool = { true }
    ) throws(LinkError) -> UnsafePointer<MethodEntry> {
        let loaded = try unsafe load(listed, selector, for: caller, in: core, isWanted: isWanted)
        guard let method = unsafe find(selector, kind, of: loaded) else {
            throw unsafe missing(selector, loaded)
        }
        return unsafe method
    }

    /// Returns the error for a selector that was not found in a class in memory: `stopped` if the component has stopped
    /// or begun to stop, otherwise `selectorNotFound`.
    @inline(never)
    func missing(_ selector: String, _ linkClass: Unmanaged<LoadedClass>) -> LinkError {
        unsafe linkClass._withUnsafeGuaranteedRef { linkClass in
            LinkError(linkClass.missingCode, className: linkClass.name, selector: selector, in: linkClass.mark)
        }
    }

    private func load(
        _ listed: ListedClass, _ selector: String, for caller: ComponentUnit?, in core: HostCore,
        isWanted: () -> Bool
    ) throws(LinkError) -> Unmanaged<LoadedClass> {
        let (entry, unit) = (listed.entry, listed.unit)
        do throws(LinkError) {
            try load(unit, for: caller, in: core, isWanted: isWanted)
        } catch {
            let names = (entry.name, selector, unit.name)
            // A rescan may have replaced the unit, and the directory knows which component has the class now. Taking
            // the lock waits until a directory that is being published is visible.
            contents.withLock { _ in }
            if error.code == .stopped, !engine.isOver {
                switch find(entry.name) {
                case .loaded(let now): return unsafe now
                case .listed(let now) where now.entry !== entry:
                    return unsafe try load(now, selector, for: caller, in: core, isWanted: isWanted)
                case .listed, .none: break
                }
            }
            guard !error.code.concernsCallOnly else {
                throw error.naming(className: names.0, selector: names.1, component: names.2)
            }
            throw LinkError(
                .notLoaded, message: "the component is not loaded: \(error.message)", className: names.0,
                selector: names.1, component: names.2, cause: error)
        }
        guard let loaded = unsafe entry.loadedClass else {
            throw LinkError(.stopped, className: entry.name, selector: selector, component: unit.name)
        }
        return unsafe loaded
    }

    func isAvailable(_ className: String, _ selector: String?, kind: SelectorKind) -> Bool {
        guard let listed = listed(className), listed.unit.mayAnswer else { return false }
        guard let selector else { return true }
        return listed.entry.declaration.selector(selector, kind) != nil
    }

    func isLoaded(_ className: String) -> Bool {
        guard let unit = listed(className)?.unit else { return false }
        // The program's own classes are in memory before the first call to them.
        guard let loaded = unit.loaded else { return unit.isHost && unit.mayAnswer }
        return unsafe loaded.runState.isUp
    }

    // MARK: - Scans

    /// - Parameter resourceProblem: returns why the resources of a component cannot be used.
    func componentInfos(_ resourceProblem: (ComponentUnit) -> String?) -> [ComponentInfo] {
        let contents = contents.withLock { $0 }
        let lateReplies = engine.counters.lateReplies
        var infos = contents.components.map { unit in
            ComponentInfo(
                unit, in: contents.running, found: contents.catalog, lateReplies: lateReplies[unit.name] ?? 0,
                resourceProblem: resourceProblem(unit))
        }
        infos += contents.catalog.disabledEntries.map { ComponentInfo(unused: $0, .disabled(by: $0.disabledBy ?? "")) }
        let own = Set(contents.components.compactMap(\.file))
        for entry in contents.catalog.entries {
            guard case .shadowed(let winner) = entry.state else { continue }
            // A file in memory already has a row.
            if let file = entry.file, own.contains(file) { continue }
            infos.append(ComponentInfo(unused: entry, .shadowed(by: winner)))
        }
        return infos
    }

    /// Scans the directories again; see ``LinkHost/rescan()``.
    ///
    /// - Parameters:
    ///   - isAutomatic: whether nobody has asked for the scan; see ``UnitReplacement``.
    ///   - publish: receives the components before calls can find those that are new.
    ///   - notify: receives the changes, in the order of the scans.
    func rescan(
        isAutomatic: Bool, publish: ([ComponentUnit]) -> Void, notify: ([CatalogChange]) -> Void
    ) -> [CatalogChange] {
        scanLock.withLock { _ in
            guard !engine.isClosing else { return [] }
            let changes = scanAgain(isAutomatic: isAutomatic, publish: publish)
            notify(changes)
            return changes
        }
    }

    private func scanAgain(isAutomatic: Bool, publish: ([ComponentUnit]) -> Void) -> [CatalogChange] {
        let survey = scan.survey().recognizing(contents.withLock { $0.components.compactMap(\.file) })
        let found = survey.catalog(host: scan.host)
        let contract = scan.contract
        let (free, former, changes) = contents.withLock { contents -> ([ClassDirectory], Contents, [CatalogChange]) in
            let former = contents
            // A stop that has begun meanwhile has already read the list of components.
            guard !engine.isClosing else { return ([], former, []) }
            let replacement = UnitReplacement(
                contents.components, survey: survey, scan: scan, isAutomatic: isAutomatic)
            contents.replaced = (contents.replaced + replacement.retired.map { Replaced(unit: $0) })
                .filter { $0.unit != nil }
            contents.ordered = contents.ordered.filter(\.isHost) + replacement.ordered
            contents.catalog = found
            contents.running = replacement.catalog
            let classes = ClassDirectory(contents.ordered, disabled: found.disabledEntries)
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
    /// The units without the one for the program's own classes.
    var components: [ComponentUnit] { ordered.filter { !$0.isHost } }

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
        return Dictionary(firstOf: snapshots)
    }
}

extension ComponentUnit {
    /// Whether the unit represents the program's own classes.
    var isHost: Bool {
        if case .host = source { true } else { false }
    }
}
