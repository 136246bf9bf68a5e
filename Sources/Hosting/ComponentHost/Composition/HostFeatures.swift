import ComponentKit
import HostContract

/// The features of a host.
///
/// Their order is that of their places, in which the kernel asks them. It matters where they release what they keep
/// when a host stops: first the program's routes, then the handlers of events, which are told that the host has stopped,
/// then the note of crashes, which is in the directory of data, and then that directory.
struct HostFeatures: Sendable {
    let routes: RouteFeature
    let events: EventFeature
    let configuration: ConfigurationFeature
    let crashes: CrashFeature
    let files: FileFeature
    let observation: ObservationFeature
    let hostService: HostServiceFeature

    /// Reads the files of the configuration.
    init(_ options: HostOptions) {
        routes = RouteFeature(options.routes)
        events = EventFeature(
            handlerTimeout: options.handlerTimeout, reportsMemoryPressure: options.reportsMemoryPressure)
        configuration = ConfigurationFeature(options.configurationLoader, options.environment, policy: options.trust)
        crashes = CrashFeature(options.crashReports)
        files = FileFeature(
            data: options.dataDirectory, cache: options.cacheDirectory,
            ResourceSearch(
                trust: options.trust, languages: options.resources.languages,
                programDirectory: options.programDirectory),
            whenClaimed: { [crashes] descriptor, path in crashes.open(in: descriptor, path) })
        observation = ObservationFeature(
            logger: options.logger, recordsTimes: options.recordsTimes, slowCallThreshold: options.slowCallThreshold,
            metricsInterval: options.metricsInterval)
        hostService = HostServiceFeature(
            HostServiceFeature.Sources(
                refusedRoutes: { [routes] in
                    routes.registry.snapshot.value.refused.map { ($0.component, RefusedRouteRow($0)) }
                },
                lastCrash: { [crashes] component in crashes.last(of: component) },
                resources: { [files] unit in files.listing(of: unit) },
                times: { [observation] in observation.times?.all },
                logLines: { [observation] number in observation.recentLog.lines(after: number) },
                posts: { [events] number in events.posts.posts(after: number) }))
    }

    /// Each at the index that is its place.
    var all: [any HostFeature] { [routes, events, configuration, crashes, files, observation, hostService] }

    /// Their types, in the same order.
    static let types: [any HostFeature.Type] = [
        RouteFeature.self, EventFeature.self, ConfigurationFeature.self, CrashFeature.self, FileFeature.self,
        ObservationFeature.self, HostServiceFeature.self,
    ]
}

extension RefusedRouteRow {
    fileprivate init(_ route: RefusedRoute) {
        self.init(
            pattern: route.pattern, className: route.className, selector: route.selector, reason: route.reason)
    }
}
