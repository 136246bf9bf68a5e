import CGlibc
import CHSLink
import ComponentKit
import Logging

/// What stands behind a ``LinkHost`` and every ``Link`` of it: which components there are, the engine that carries out
/// calls to them, and what the host keeps for them. A call by name is resolved here, and is a call of a method from then on.
final class HostCore: LinkBackend {
    let options: HostOptions
    let engine: CallEngine
    let registry: ComponentRegistry
    /// Where components keep their data.
    let data: DataDirectory
    /// Those who are notified of what a rescan found.
    let watching = CatalogWatching()
    let sharedObjects = SharedObjects()
    /// Spans of calls; nil where nobody traces.
    let tracing: CallTracing?
    /// Whether there is any: calls ask for this alone.
    let isTracing: Bool
    let stopGates = OnceGates()
    let stopGate = OnceGate()

    init(_ scan: HostScan) {
        options = scan.options
        tracing = CallTracing()
        isTracing = tracing != nil
        engine = CallEngine(scan.options)
        registry = ComponentRegistry(scan, engine)
        data = DataDirectory(scan.options.dataDirectory, policy: scan.options.trust)
    }

    deinit { watching.end() }

    func cancel(_ call: CallIdentifier) { PendingReply(identifier: call)?.end(with: LinkError(.cancelled)) }

    func isAvailable(_ className: String, _ selector: String?, _ kind: SelectorKind) -> Bool {
        registry.isAvailable(className, selector, kind)
    }

    func isLoaded(_ className: String) -> Bool { registry.isLoaded(className) }

    // The host's own objects live as long as the process does: nobody stops them.
    func enter() -> LinkError? { nil }
    func leave() {}
    func beginWork() -> Bool { true }
    func endWork() {}

    func log(_ level: LogLevel, _ message: String) { options.log(level, message, component: "host") }

    /// Scans the directories again; see ``LinkHost/rescan()``.
    @discardableResult
    func rescan() -> [CatalogChange] { registry.rescan { watching.notify($0) } }
}

extension HostOptions {
    /// Writes a line to the host's log.
    func log(_ level: LogLevel, _ message: String, component: String) {
        let loggerLevel: Logger.Level =
            switch level {
            case .debug: .debug
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
        logger.log(level: loggerLevel, "\(message)", metadata: ["component": "\(component)"])
    }
}
