import ComponentKit
import Synchronization

/// Which components a host has, and where each stands: found by scanning, replaced by rescanning, loaded on demand.
final class ComponentRegistry: Sendable {
    /// What the host was made from, to scan again.
    let scan: HostScan
    let engine: CallEngine
    /// The current ``ClassDirectory``, retained.
    private let directory = Atomic<UInt>(0)
    let contents: Lock<Contents>
    /// Held while the directories are scanned: an older scan must not take the place of a newer one.
    let scanLock = Lock<Void>(())

    /// All that the host knows, guarded together.
    @safe
    struct Contents {
        /// What lies in the directories.
        var catalog: Catalog
        /// The same with what is in memory in the place of what lies there by now.
        var running: Catalog
        /// Of the units in `ordered`.
        var services: ServiceDirectory
        /// In the order in which they may be loaded; stopped the other way round.
        var ordered: [ComponentUnit] = []
        /// Units that newer ones have replaced, as long as calls to them have not ended.
        var replaced: [Replaced] = []
        /// Directories that have been replaced while somebody may still have been reading them.
        var retired: [UInt] = []
    }

    /// A unit that has been replaced: whoever still calls it keeps it.
    struct Replaced {
        weak var unit: ComponentUnit?
    }

    init(_ scan: HostScan, _ engine: CallEngine) {
        self.scan = scan
        self.engine = engine
        let catalog = scan.survey().catalog(host: scan.host)
        let ordered = [scan.hostUnit()] + scan.units(of: catalog)
        let classes = ClassDirectory(ordered)
        let services = ServiceDirectory(ordered, catalog, classes, contract: scan.contract)
        contents = Lock(Contents(catalog: catalog, running: catalog, services: services, ordered: ordered))
        directory.store(ComponentRegistry.address(of: classes), ordering: .releasing)
    }

    deinit {
        ComponentRegistry.release(directory.load(ordering: .acquiring))
        for retired in contents.withLock({ $0.retired }) { ComponentRegistry.release(retired) }
    }

    /// The component of this name; the program's own classes are none.
    func unit(named name: String) -> ComponentUnit? {
        contents.withLock { contents in contents.ordered.first { $0.name == name && !$0.isHost } }
    }

    /// All units, in the order in which they may be loaded, and those that were replaced and are called still.
    var all: [ComponentUnit] {
        contents.withLock { contents in contents.replaced.compactMap(\.unit) + contents.ordered }
    }

    // MARK: - The directory of classes

    /// What there is of a class.
    @inline(__always)
    func find(_ className: borrowing String) -> FoundClass {
        // A unit may be replaced at any time: what is not in memory is kept before the snapshot is let go of.
        withSnapshot { address in
            guard let pointer = unsafe UnsafeRawPointer(bitPattern: address),
                let entry = unsafe Unmanaged<ClassDirectory>.fromOpaque(pointer)._withUnsafeGuaranteedRef({
                    unsafe $0.find(className)
                })
            else { return .none }
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

    /// The class that some component declares, loaded or not.
    func listed(_ className: String) -> ListedClass? {
        withSnapshot { address in
            guard let pointer = unsafe UnsafeRawPointer(bitPattern: address),
                let entry = unsafe Unmanaged<ClassDirectory>.fromOpaque(pointer)._withUnsafeGuaranteedRef({
                    unsafe $0.find(className)?.takeUnretainedValue()
                })
            else { return nil }
            return ListedClass(entry: entry, unit: entry.unit)
        }
    }

    /// Lends `body` the address of the current directory.
    @inline(__always)
    private func withSnapshot<Result>(_ body: (UInt) -> Result) -> Result {
        let thread = HostThread.current
        defer { thread.endSnapshot() }
        return body(thread.beginSnapshot(directory))
    }

    /// Publishes a new directory.
    ///
    /// - Returns: old ones that nobody reads any more, to be released.
    func replaceDirectory(with new: ClassDirectory, _ contents: inout Contents) -> [UInt] {
        let old = directory.exchange(ComponentRegistry.address(of: new), ordering: .sequentiallyConsistent)
        let retired = contents.retired + [old]
        let read = ThreadContext.read(retired)
        contents.retired = retired.filter(read.contains)
        return retired.filter { !read.contains($0) }
    }

    private static func address(of directory: ClassDirectory) -> UInt {
        unsafe UInt(bitPattern: Unmanaged.passRetained(directory).toOpaque())
    }

    /// Lets go of a directory that `address(of:)` retained.
    static func release(_ address: UInt) {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return }
        unsafe Unmanaged<ClassDirectory>.fromOpaque(pointer).release()
    }
}

extension ComponentRegistry.Contents {
    /// Without that of the program's own classes.
    var components: [ComponentUnit] { ordered.filter { !$0.isHost } }
}
