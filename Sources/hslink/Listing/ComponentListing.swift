import ComponentHost
import ComponentKit

/// What `hslink list` shows, as tables.
struct ComponentListing {
    let components: [ComponentInfo]
    let catalog: Catalog
    /// Whether files that are no components are part of it.
    let showsAll: Bool

    /// Tables under each other, with an empty line between them; those that hold nothing are left out, except
    /// the first.
    func text(on terminal: Terminal) -> String {
        var tables = [componentTable]
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
