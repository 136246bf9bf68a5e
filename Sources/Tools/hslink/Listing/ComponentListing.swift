import ComponentKit
import HostContract

/// The output of `hslink list`.
struct ComponentListing {
    let content: HostContents
    /// Whether rejected files and directories and conflicting classes are shown too.
    let showsAll: Bool

    init(_ content: HostContents, showsAll: Bool = false) {
        self.content = content
        self.showsAll = showsAll
    }

    /// Returns the tables, separated by empty lines. Empty tables are left out, except for the first.
    func text(on terminal: Terminal) -> String {
        var tables = [componentTable]
        if !content.services.isEmpty { tables.append(serviceTable) }
        if showsAll {
            let extra = [
                rejectionTable("FILE", content.rejectedFiles),
                rejectionTable("DIRECTORY", content.rejectedDirectories), conflictTable,
            ]
            tables += extra.filter { !$0.rows.isEmpty }
        }
        let text = tables.map { $0.text(on: terminal) }.joined(separator: "\n\n")
        let count = content.rejectedFiles.count
        guard !showsAll, count > 0 else { return text }
        return text + "\n\n\(count == 1 ? "1 file is" : "\(count) files are") not used; --all shows why"
    }

    private var componentTable: ListingTable {
        var table = ListingTable([
            .init(title: "NAME"), .init(title: "VERSION"), .init(title: "LAYER"), .init(title: "STATE"),
            .init(title: "FILE", shortening: .atStart), .init(title: "REASON", shortening: .atEnd),
        ])
        table.rows = content.components.map { component in
            [
                .init(text: component.name), .init(text: component.version), .init(text: component.layer ?? "-"),
                .init(text: component.state, color: component.color),
                .init(text: component.file ?? "built in"), .init(text: component.remark),
            ]
        }
        return table
    }

    private var serviceTable: ListingTable {
        var table = ListingTable([
            .init(title: "SERVICE"), .init(title: "PROVIDER"), .init(title: "CLASS"), .init(title: "VERSION"),
            .init(title: "NOT USED", shortening: .atEnd),
        ])
        table.rows = content.services.map { provider in
            let reason = provider.reason.isEmpty ? "unless all are asked: another takes precedence" : provider.reason
            return [
                .init(text: provider.service), .init(text: provider.component), .init(text: provider.className),
                .init(text: provider.version ?? "-"),
                .init(text: provider.isChosen ? "" : reason, color: provider.isChosen ? .none : .faint),
            ]
        }
        return table
    }

    private func rejectionTable(_ title: String, _ rejections: [RejectionRow]) -> ListingTable {
        var table = ListingTable([
            .init(title: title, shortening: .atStart), .init(title: "CODE"),
            .init(title: "REASON", shortening: .atEnd),
        ])
        table.rows = rejections.map { rejection in
            [.init(text: rejection.path), .init(text: rejection.code), .init(text: rejection.reason)]
        }
        return table
    }

    private var conflictTable: ListingTable {
        var table = ListingTable([.init(title: "CLASS"), .init(title: "USED FROM"), .init(title: "IGNORED IN")])
        table.rows = content.conflicts.map { conflict in
            [.init(text: conflict.className), .init(text: conflict.winner ?? "host"), .init(text: conflict.loser)]
        }
        return table
    }

    /// Returns the listing as one JSON object, described in the help of `hslink list`.
    func json() throws(PayloadError) -> String {
        var listing = JSONObject()
        listing.set("components", try content.components.map(component))
        listing.set("services", try content.services.map(service))
        listing.set("rejectedDirectories", try content.rejectedDirectories.map(rejection))
        if showsAll {
            listing.set("rejectedFiles", try content.rejectedFiles.map(rejection))
            listing.set("conflicts", try content.conflicts.map(conflict))
        }
        if let process = content.process { try listing.set("process", Payload(process)) }
        return listing.text
    }

    private func component(_ component: ComponentRow) throws(PayloadError) -> JSONObject {
        var object = JSONObject()
        try object.set("name", component.name)
        try object.set("version", component.version)
        try object.set("layer", component.layer)
        try object.set("state", component.state)
        try object.set("file", component.file)
        try object.set("reason", component.reason.isEmpty ? nil : component.reason)
        if let code = component.code { try object.set("code", code) }
        if !component.refusedRoutes.isEmpty {
            object.set("refusedRoutes", try component.refusedRoutes.map(refusedRoute))
        }
        if content.process != nil {
            try object.set("callsInFlight", Payload(component.callsInFlight))
            try object.set("stuckCalls", Payload(component.stuckCalls))
            try object.set("openWork", Payload(component.openWork))
            try object.set("restartVersion", component.restartVersion)
            try object.set("isFileGone", Payload(component.isFileGone))
        }
        return object
    }

    private func refusedRoute(_ route: RefusedRouteRow) throws(PayloadError) -> JSONObject {
        var object = JSONObject()
        try object.set("pattern", route.pattern)
        try object.set("class", route.className)
        try object.set("selector", route.selector)
        try object.set("reason", route.reason)
        return object
    }

    private func service(_ provider: ServiceRow) throws(PayloadError) -> JSONObject {
        var object = JSONObject()
        try object.set("service", provider.service)
        try object.set("component", provider.component)
        try object.set("class", provider.className)
        try object.set("version", provider.version)
        try object.set("isChosen", Payload(provider.isChosen))
        try object.set("state", provider.state)
        try object.set("reason", provider.reason.isEmpty ? nil : provider.reason)
        return object
    }

    private func rejection(_ rejection: RejectionRow) throws(PayloadError) -> JSONObject {
        var object = JSONObject()
        try object.set("path", rejection.path)
        try object.set("code", rejection.code)
        try object.set("reason", rejection.reason)
        return object
    }

    private func conflict(_ conflict: ConflictRow) throws(PayloadError) -> JSONObject {
        var object = JSONObject()
        try object.set("class", conflict.className)
        try object.set("winner", conflict.winner)
        try object.set("loser", conflict.loser)
        return object
    }
}

extension ComponentRow {
    fileprivate var color: ListingTable.Color {
        switch state {
        case "available", "starting", "running": .good
        case "failed": .bad
        default: .faint
        }
    }

    /// The component's activity, followed by why it is unavailable or what the user should do.
    fileprivate var remark: String {
        var parts: [String] = []
        if callsInFlight > 0 {
            parts.append("\(callsInFlight == 1 ? "1 call" : "\(callsInFlight) calls") in flight")
        }
        if stuckCalls > 0 {
            parts.append("\(stuckCalls == 1 ? "1 thread" : "\(stuckCalls) threads") still running after the call ended")
        }
        if openWork > 0 { parts.append("\(openWork == 1 ? "1 task" : "\(openWork) tasks") still running") }
        if !reason.isEmpty { parts.append(reason) }
        if !refusedRoutes.isEmpty {
            let count = refusedRoutes.count
            parts.append("\(count == 1 ? "1 route is" : "\(count) routes are") not used: 'hslink routes' shows why")
        }
        return parts.joined(separator: "; ")
    }
}
