import ComponentHost
import ComponentKit

/// What `hslink list` shows, as tables.
struct ComponentListing {
    let components: [ComponentInfo]
    let services: [ServiceProvider]
    let catalog: Catalog
    /// Whether files that are no components are part of it.
    let showsAll: Bool

    /// Tables under each other, with an empty line between them; those that hold nothing are left out, except
    /// the first.
    func text(on terminal: Terminal) -> String {
        var tables = [componentTable]
        if !services.isEmpty { tables.append(serviceTable) }
        if showsAll {
            let extra = [
                rejectionTable("FILE", catalog.rejectedFiles),
                rejectionTable("DIRECTORY", catalog.rejectedDirectories), conflictTable,
            ]
            tables += extra.filter { !$0.rows.isEmpty }
        }
        return tables.map { $0.text(on: terminal) }.joined(separator: "\n\n")
    }

    private var componentTable: Table {
        var table = Table([
            .init(title: "NAME"), .init(title: "VERSION"), .init(title: "LAYER"), .init(title: "STATE"),
            .init(title: "FILE", shortening: .atStart), .init(title: "REASON", shortening: .atEnd),
        ])
        table.rows = components.map { component in
            [
                .init(text: component.name), .init(text: "\(component.manifest.version)"),
                .init(text: component.manifest.layer ?? "-"),
                .init(text: "\(component.state)", color: component.state.color),
                .init(text: component.path ?? "built in"), .init(text: component.reason),
            ]
        }
        return table
    }

    private var serviceTable: Table {
        var table = Table([
            .init(title: "SERVICE"), .init(title: "PROVIDER"), .init(title: "CLASS"), .init(title: "VERSION"),
            .init(title: "NOT USED", shortening: .atEnd),
        ])
        table.rows = services.map { provider in
            let reason = provider.reason.isEmpty ? "another one comes first" : provider.reason
            return [
                .init(text: provider.service), .init(text: provider.component), .init(text: provider.className),
                .init(text: provider.version?.description ?? "-"),
                .init(text: provider.isChosen ? "" : reason, color: provider.isChosen ? .none : .faint),
            ]
        }
        return table
    }

    private func rejectionTable(_ title: String, _ rejections: [Catalog.Rejection]) -> Table {
        var table = Table([
            .init(title: title, shortening: .atStart), .init(title: "CODE"),
            .init(title: "REASON", shortening: .atEnd),
        ])
        table.rows = rejections.map { rejection in
            [.init(text: rejection.path), .init(text: "\(rejection.code)"), .init(text: rejection.reason)]
        }
        return table
    }

    private var conflictTable: Table {
        var table = Table([.init(title: "CLASS"), .init(title: "IS THAT OF"), .init(title: "NOT THAT OF")])
        table.rows = catalog.conflicts.map { conflict in
            [.init(text: conflict.className), .init(text: conflict.winner ?? "host"), .init(text: conflict.loser)]
        }
        return table
    }
}

extension ComponentState {
    fileprivate var color: Table.Color {
        switch self {
        case .available, .loaded: .good
        case .failed: .bad
        case .shadowed, .stopped: .faint
        }
    }
}
