import CHSLink
import ComponentKit
import Logging
import Synchronization

/// What stands behind a ``LinkHost`` and every ``Link`` of it.
final class HostCore: Sendable {
    /// What the host was made from, to look again.
    let scan: HostScan
    let gates = Gates()
    let pool = WorkerPool()
    let timer = DeadlineTimer()
    let sharedObjects = SharedObjects()
    /// Where components keep their data.
    let data: DataDirectory
    /// Detached calls of objects, whose owner the host does not know.
    let objectLane: CallLane
    /// The current ``ClassDirectory``, retained.
    let directory = Atomic<UInt>(0)
    let units: Lock<Units>
    /// Held while the directories are looked at: an older look must not take the place of a newer one.
    let looking = Lock<Void>(())
    /// Who is told what a new look found.
    let watching = CatalogWatching()
    private let stopped = Atomic<Bool>(false)
    private let stopOver = Atomic<Bool>(false)
    let stopGate = Gate()
    /// What components whose start failed were given, until the host ends.
    let failedTables = Lock<[HostTable]>([])

    /// All that the host knows, guarded together.
    @safe
    struct Units {
        /// What lies in the directories.
        var catalog: Catalog
        /// The same with what is in memory in the place of what lies there by now.
        var running: Catalog
        /// Of the units in `ordered`.
        var services: ServiceDirectory
        /// In the order in which they may be loaded; stopped the other way round.
        var ordered: [ComponentUnit] = []
        /// Units that newer ones have replaced: calls may still follow pointers to them.
        var kept: [ComponentUnit] = []
        /// Directories that have been replaced while somebody may still have been reading them.
        var retired: [UInt] = []
    }

    init(_ scan: HostScan) {
        self.scan = scan
        data = DataDirectory(scan.options.dataDirectory, policy: scan.options.trust)
        objectLane = CallLane(limit: scan.options.concurrencyLimit)
        let catalog = scan.survey().catalog(host: scan.host)
        let ordered = [scan.hostUnit()] + scan.units(of: catalog)
        let classes = ClassDirectory(ordered)
        let services = ServiceDirectory(ordered, catalog, classes, contract: scan.contract)
        units = Lock(Units(catalog: catalog, running: catalog, services: services, ordered: ordered))
        directory.store(HostCore.address(of: classes), ordering: .releasing)
    }

    var options: HostOptions { scan.options }

    deinit {
        watching.end()
        pool.end()
        timer.end()
        HostCore.release(directory.load(ordering: .acquiring))
        for retired in units.withLock({ $0.retired }) { HostCore.release(retired) }
    }

    static func address(of directory: ClassDirectory) -> UInt {
        unsafe UInt(bitPattern: Unmanaged.passRetained(directory).toOpaque())
    }

    /// Lets go of a directory that `address(of:)` retained.
    static func release(_ address: UInt) {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return }
        unsafe Unmanaged<ClassDirectory>.fromOpaque(pointer).release()
    }

    /// Whether ``stop(timeout:)`` has begun.
    var isStopped: Bool { stopped.load(ordering: .sequentiallyConsistent) }

    func beginStop() { stopped.store(true, ordering: .sequentiallyConsistent) }

    /// Whether ``stop(timeout:)`` is over: nobody ends calls any more.
    var isStopOver: Bool { stopOver.load(ordering: .sequentiallyConsistent) }

    func endStop() {
        stopOver.store(true, ordering: .sequentiallyConsistent)
        // They hold the core.
        _ = failedTables.withLock { tables in
            defer { tables = [] }
            return tables
        }
    }

    /// The component of this name; the program's own classes are none.
    func unit(named name: String) -> ComponentUnit? {
        units.withLock { units in units.ordered.first { $0.name == name && !$0.isHost } }
    }

    func log(_ level: LogLevel, _ message: String, component: String) {
        let loggerLevel: Logger.Level =
            switch level {
            case .debug: .debug
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
        options.logger.log(level: loggerLevel, "\(message)", metadata: ["component": "\(component)"])
    }
}
