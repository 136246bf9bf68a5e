import HostContract

extension RouteList: WatchedState {}

extension RouteRow {
    /// What it calls, as in "VideoLink.open", with a plus before a class method; empty for nothing.
    var call: String { `class`.isEmpty ? "" : "\(kind == "class" ? "+" : "")\(`class`).\(selector)" }

    /// What tells it from others.
    var identity: String { "\(pattern) \(call)" }

    /// Who may open it from outside: nobody, everyone whom the host allows, or these sources.
    var access: String { !`public` ? "" : sources.isEmpty ? "yes" : sources.listed() }
}

extension UnusedRouteRow {
    /// What it would call, as in "VideoLink.open".
    var call: String { "\(`class`).\(selector)" }

    /// What tells it from others.
    var identity: String { "\(pattern) \(call)" }
}
