import ComponentKit
import HostContract
import SystemSupport

/// The output of `hslink list`.
struct ComponentListing {
    let content: HostContents
    /// Whether rejected files and directories and conflicting classes are shown too.
    var showsAll = false

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
            "NAME", "VERSION", "LAYER", "STATE", .init(title: "FILE", shortening: .atStart),
            .init(title: "REASON", shortening: .atEnd),
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
            "SERVICE", "PROVIDER", "CLASS", "VERSION", .init(title: "NOT USED", shortening: .atEnd),
        ])
        table.rows = content.services.map { provider in
            let reason = provider.reason.isEmpty ? displacement(of: provider) : provider.reason
            return [
                .init(text: provider.service), .init(text: provider.component), .init(text: provider.className),
                .init(text: provider.version ?? "-"),
                .init(text: provider.isChosen ? "" : reason, color: provider.isChosen ? .none : .faint),
            ]
        }
        return table
    }

    /// Why a provider that can be used is not the one that most callers get.
    private func displacement(of provider: ServiceRow) -> String {
        let chosen = content.services.first { $0.service.isExactly(provider.service) && $0.isChosen }
        let first = chosen?.component ?? "another component"
        return "\(first) takes precedence; a caller that asks for all providers gets this one, too"
    }

    private func rejectionTable(_ title: String, _ rejections: [RejectionRow]) -> ListingTable {
        var table = ListingTable([
            .init(title: title, shortening: .atStart), "CODE", .init(title: "REASON", shortening: .atEnd),
        ])
        table.rows = rejections.map { rejection in
            [.init(text: rejection.path), .init(text: rejection.code), .init(text: rejection.reason)]
        }
        return table
    }

    private var conflictTable: ListingTable {
        var table = ListingTable(["CLASS", "USED FROM", "IGNORED IN"])
        table.rows = content.conflicts.map { conflict in
            [.init(text: conflict.className), .init(text: conflict.winner ?? "host"), .init(text: conflict.loser)]
        }
        return table
    }

    /// Returns the listing as one JSON object, described in the help of `hslink list`.
    func json() throws(PayloadError) -> String {
        var listing: [(String, Payload)] = [
            ("components", .array(content.components.map(component))),
            ("services", .array(content.services.map(service))),
            ("rejectedDirectories", content.rejectedDirectories.payload),
        ]
        if showsAll {
            listing.append(("rejectedFiles", content.rejectedFiles.payload))
            listing.append(("conflicts", .array(content.conflicts.map(conflict))))
        }
        if let process = content.process { listing.append(("process", .int(Int64(process)))) }
        return try Payload.map(listing).json()
    }

    private func component(_ component: ComponentRow) -> Payload {
        var entries: [(String, Payload)] = [
            ("name", .string(component.name)), ("version", .string(component.version)),
            ("layer", component.layer.payload), ("state", .string(component.state)), ("file", component.file.payload),
            ("reason", reason(component.reason)),
        ]
        if let code = component.code { entries.append(("code", .string(code))) }
        if !component.refusedRoutes.isEmpty {
            entries.append(("refusedRoutes", .array(component.refusedRoutes.map(refusedRoute))))
        }
        if content.process != nil {
            entries += [
                ("callsInFlight", component.callsInFlight.payload), ("stuckCalls", component.stuckCalls.payload),
                ("openWork", component.openWork.payload), ("restartVersion", component.restartVersion.payload),
                ("isFileGone", .bool(component.isFileGone)),
            ]
            if let crash = component.lastCrash { entries.append(("lastCrash", .string(crash))) }
        }
        return .map(entries)
    }

    private func refusedRoute(_ route: RefusedRouteRow) -> Payload {
        [
            "pattern": .string(route.pattern), "class": .string(route.className), "selector": .string(route.selector),
            "reason": .string(route.reason),
        ]
    }

    private func service(_ provider: ServiceRow) -> Payload {
        [
            "service": .string(provider.service), "component": .string(provider.component),
            "class": .string(provider.className), "version": provider.version.payload,
            "isChosen": .bool(provider.isChosen), "state": .string(provider.state), "reason": reason(provider.reason),
        ]
    }

    private func conflict(_ conflict: ConflictRow) -> Payload {
        [
            "class": .string(conflict.className), "winner": conflict.winner.payload, "loser": .string(conflict.loser),
        ]
    }

    /// A reason; null for none.
    private func reason(_ text: String) -> Payload { text.isEmpty ? .null : .string(text) }
}

extension ComponentRow {
    fileprivate var color: ListingTable.Color {
        switch state {
        case "available", "starting", "running": .good
        case "failed", "stuck": .bad
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
        // The reason of a component that is held back tells it already.
        if let lastCrash, state != "failed" { parts.append("\(lastCrash), and ended the host") }
        if !refusedRoutes.isEmpty {
            let count = refusedRoutes.count
            parts.append("\(count == 1 ? "1 route is" : "\(count) routes are") not used: 'hslink routes' shows why")
        }
        return parts.joined(separator: "; ")
    }
}
