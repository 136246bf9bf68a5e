import ComponentKit
import HostContract
import SystemSupport

extension HostContents {
    /// - Parameter process: the process id, if the host keeps running.
    init(_ core: HostCore, process: Int?) {
        let catalog = core.registry.contents.withLock { $0.catalog }
        self.init(
            process: process, components: core.componentRows(),
            services: core.registry.providers.map { ServiceRow($0) },
            rejectedFiles: catalog.rejectedFiles.map { RejectionRow($0) },
            rejectedDirectories: catalog.rejectedDirectories.map { RejectionRow($0) },
            conflicts: catalog.conflicts.map { ConflictRow($0) })
    }
}

extension HostCore {
    /// Returns the components in the order in which they can be loaded, followed by those that others displace.
    ///
    /// - Parameter name: only those with this name; nil for all.
    fileprivate func componentRows(named name: String? = nil) -> [ComponentRow] {
        let refused = Dictionary(grouping: HostRoutes(core: self).refused, by: \.component)
        let recovery = ComponentRecovery(registry.contents.withLock { $0.running })
        let infos = componentInfos().filter { info in name.map { info.name.isExactly($0) } ?? true }
        return infos.map { info in
            // A shadowed file has the name of the component whose routes these are.
            let isShadowed = if case .shadowed = info.state { true } else { false }
            return ComponentRow(
                info, refused: isShadowed ? [] : refused[info.name] ?? [], recovery: recovery.sentence(for: info))
        }
    }
}

extension ComponentDetails {
    /// - Throws: `LinkError` with code `classNotFound` if there is no component with this name.
    init(of name: String, in core: HostCore) throws(LinkError) {
        guard let unit = core.registry.unit(named: name), let row = core.componentRows(named: name).first else {
            throw .missing(name)
        }
        let listing = core.resourceListing(of: unit)
        self.init(
            component: row, manifest: unit.manifest.json,
            resources: (listing?.files ?? []).map { file in
                ResourceRow(
                    name: file.name, size: file.size, problem: (listing?.problem ?? file.problem)?.message)
            })
    }
}

extension ComponentRow {
    fileprivate init(_ info: ComponentInfo, refused: [RefusedRoute], recovery: String?) {
        self.init(
            name: info.name, version: "\(info.manifest.version)", layer: info.manifest.layer, state: "\(info.state)",
            file: info.path, reason: info.reason, recovery: recovery, callsInFlight: info.callsInFlight,
            stuckCalls: info.stuckCalls, openWork: info.openWork, isFileGone: info.onDisk == .gone,
            refusedRoutes: refused.map { RefusedRouteRow($0) })
        if case .failed(let error) = info.state { code = "\(error.code)" }
        if case .replaced(let version, _) = info.onDisk { restartVersion = "\(version)" }
    }
}

extension RefusedRouteRow {
    fileprivate init(_ route: RefusedRoute) {
        self.init(
            pattern: route.pattern, className: route.className, selector: route.selector, reason: route.reason)
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
