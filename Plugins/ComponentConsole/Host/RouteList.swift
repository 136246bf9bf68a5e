import HostContract

extension RouteList: WatchedState {}

extension RouteRow {
    /// What it calls, as in "VideoLink.open", with a plus before a class method; empty for nothing.
    var call: String { `class`.isEmpty ? "" : "\(kind == "class" ? "+" : "")\(`class`).\(selector)" }

    /// What tells it from others.
    var identity: String { "\(pattern) \(call)" }
}

extension UnusedRouteRow {
    /// What it would call, as in "VideoLink.open".
    var call: String { "\(`class`).\(selector)" }

    /// What tells it from others.
    var identity: String { "\(pattern) \(call)" }
}
