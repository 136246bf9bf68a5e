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
        let classes = ClassDirectory(ordered)
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
}

extension ComponentRegistry.Contents {
    /// The units without the one for the program's own classes.
    var components: [ComponentUnit] { ordered.filter { !$0.isHost } }
}
