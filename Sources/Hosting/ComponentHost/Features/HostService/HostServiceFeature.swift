import ComponentCatalog
import ComponentKit
import HostContract
import SystemSupport

/// What a host tells of itself: its components, services and page modules, and what its other features know.
final class HostServiceFeature: HostFeature {
    static var place: Int { 6 }
    static let classes = [
        ServicesLink.provided, HostPagesLink.provided, SchemasLink.provided, HostServiceLink.provided,
    ]

    /// What it asks other features for.
    struct Sources: Sendable {
        /// Returns the routes that components declare and the host does not use.
        let refusedRoutes: @Sendable () -> [(component: String, route: RefusedRouteRow)]
        /// Returns the last crash of a component before the host began; nil if there was none.
        let lastCrash: @Sendable (_ component: String) -> String?
        /// Returns the resources of a component; nil if it has none.
        let resources: @Sendable (_ unit: ComponentUnit) -> ResourceListing?
        /// Returns how long components took; nil if that is not recorded.
        let times: @Sendable () -> [ComponentTime]?
        /// Returns the lines of the log after one; all that are kept for nil.
        let logLines: @Sendable (_ number: Int?) -> [LogLine]
        /// Returns the events that were posted after one; all that are kept for nil.
        let posts: @Sendable (_ number: Int?) -> [EventPost]
    }

    let sources: Sources

    init(_ sources: Sources) { self.sources = sources }

    /// Returns what the host has found.
    ///
    /// - Parameter process: the process id, if the host keeps running.
    func contents(of core: HostCore, process: Int?) -> HostContents {
        let catalog = core.registry.contents.withLock { $0.catalog }
        return HostContents(
            process: process, components: componentRows(of: core),
            services: core.registry.providers.map { ServiceRow($0) },
            rejectedFiles: catalog.rejectedFiles.map { RejectionRow($0) },
            rejectedDirectories: catalog.rejectedDirectories.map { RejectionRow($0) },
            conflicts: catalog.conflicts.map { ConflictRow($0) })
    }

    /// Returns the components in the order in which they can be loaded, followed by those that others displace.
    ///
    /// - Parameter name: only those with this name; nil for all.
    private func componentRows(of core: HostCore, named name: String? = nil) -> [ComponentRow] {
        let refused = Dictionary(grouping: sources.refusedRoutes()) { ExactText($0.component) }
        let recovery = ComponentRecovery(core.registry.contents.withLock { $0.running })
        let infos = core.componentInfos().filter { info in name.map { info.name.isExactly($0) } ?? true }
        return infos.map { info in
            // A shadowed file has the name of the component whose routes these are.
            let isShadowed = if case .shadowed = info.state { true } else { false }
            let own = isShadowed ? [] : refused[ExactText(info.name)] ?? []
            var row = ComponentRow(info, refused: own.map(\.route), recovery: recovery.sentence(for: info))
            if !isShadowed { row.lastCrash = sources.lastCrash(info.name) }
            return row
        }
    }

    /// Returns whether the host can take calls.
    func health(of core: HostCore) -> HostHealth {
        let units = core.registry.contents.withLock { $0.components }
        let failures = units.filter { unit in
            guard unit.manifest.starts == .withHost, case .failed = unit.currentState else { return false }
            return true
        }.map(\.name).sorted()
        let phase =
            core.startRuns.isEnded
            ? "stopping" : core.isStartOver.load(ordering: .acquiring) ? "running" : "starting"
        return HostHealth(phase: phase, failures: failures, isReady: phase == "running" && failures.isEmpty)
    }

    /// Returns what the host knows of a component.
    ///
    /// - Throws: `LinkError` with code `classNotFound` if there is no component with this name.
    func details(of name: String, in core: HostCore) throws(LinkError) -> ComponentDetails {
        let unit = core.registry.unit(named: name)
        guard let manifest = unit?.manifest ?? core.registry.disabledEntry(named: name)?.manifest,
            let row = componentRows(of: core, named: name).first
        else { throw core.registry.missingComponent(name) }
        let listing = unit.flatMap(sources.resources)
        return ComponentDetails(
            component: row, manifest: manifest.json,
            resources: (listing?.files ?? []).map { file in
                ResourceRow(
                    name: file.name, size: file.size, problem: (listing?.problem ?? file.problem)?.message)
            })
    }
}

extension ComponentRow {
    fileprivate init(_ info: ComponentInfo, refused: [RefusedRouteRow], recovery: String?) {
        self.init(
            name: info.name, version: "\(info.manifest.version)", layer: info.manifest.layer, state: "\(info.state)",
            file: info.path, reason: info.reason, recovery: recovery, callsInFlight: info.callsInFlight,
            stuckCalls: info.stuckCalls, openWork: info.openWork, isFileGone: info.onDisk == .gone,
            refusedRoutes: refused)
        if case .failed(let error) = info.state { code = "\(error.code)" }
        if case .replaced(let version, _) = info.onDisk { restartVersion = "\(version)" }
    }
}

extension ServiceRow {
    fileprivate init(_ provider: ServiceProvider) {
        self.init(
            service: provider.service, component: provider.component, version: provider.version?.description,
            className: provider.className, isChosen: provider.isChosen, state: "\(provider.state)",
            reason: provider.reason)
    }
}

extension RejectionRow {
    fileprivate init(_ rejection: Catalog.Rejection) {
        self.init(path: rejection.path, code: "\(rejection.code)", reason: rejection.reason)
    }
}

extension ConflictRow {
    fileprivate init(_ conflict: Catalog.ClassConflict) {
        self.init(className: conflict.className, winner: conflict.winner, loser: conflict.loser)
    }
}
