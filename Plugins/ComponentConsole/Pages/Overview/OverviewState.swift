import HostContract

/// Whether the host is well, and the figures of the overview.
struct SummaryState: WatchedState {
    /// What is wrong, the worst first; empty if the host is well.
    var problems: [HostProblem]
    /// How many components run.
    var running: Int
    /// How many components there are that can run: each counts once, and those that are disabled do not.
    var usable: Int
    /// The counts of calls, apart from those that showing pages takes.
    var figures: CallFigures

    init(_ contents: HostContents, _ refusedRoutes: [UnusedRouteRow], counters: CounterList) {
        running = contents.components.count { ["running", "stuck"].contains($0.state) }
        usable = contents.components.count { !["shadowed", "disabled"].contains($0.state) }
        figures = CallFigures(counters.others)
        problems = HostProblem.all(of: contents, refusedRoutes)
    }
}

/// The components of a host, those that need attention first.
struct ComponentList: WatchedState {
    var components: [ComponentRow]

    /// - Parameter observers: the components that work because pages are shown.
    init(_ components: [ComponentRow], _ observers: Set<String> = []) {
        self.components = components.map { $0.steady(observers) }.sorted {
            ($0.state.rank, $0.name, $0.version) < ($1.state.rank, $1.name, $1.version)
        }
    }
}

extension ComponentRow {
    /// The component without the numbers that change because pages are shown.
    func steady(_ observers: Set<String>) -> ComponentRow {
        guard observers.contains(name) else { return self }
        var copy = self
        copy.callsInFlight = 0
        copy.openWork = 0
        return copy
    }
}

/// What the host has found and does not use.
struct UnusedState: WatchedState {
    var files: [RejectionRow]
    var directories: [RejectionRow]
    var conflicts: [ConflictRow]
    var routes: [UnusedRouteRow]

    init(_ contents: HostContents, _ routes: [UnusedRouteRow]) {
        files = contents.rejectedFiles
        directories = contents.rejectedDirectories
        conflicts = contents.conflicts
        self.routes = routes
    }
}

extension String {
    /// The place of a component's state in lists: what needs attention comes first.
    fileprivate var rank: Int {
        switch self {
        case "failed", "stuck": 0
        case "stopping", "stopped": 1
        case "starting", "running": 2
        case "available": 3
        default: 4
        }
    }
}
