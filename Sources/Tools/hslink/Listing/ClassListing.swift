import ComponentHost
import ComponentKit
import ManifestRules
import SystemSupport

/// The output of `hslink call CLASS`: the selectors of a class with their parameters, from its manifest.
struct ClassListing {
    private let declaration: ClassDeclaration
    /// The manifest of the component; nil for a class that every host has.
    private let manifest: Manifest?

    /// Finds the class; nil if no component in the catalog has it, nor every host.
    init?(_ className: String, in catalog: Catalog) {
        if let own = OwnClasses.declaration(of: className) {
            declaration = own
            manifest = nil
            return
        }
        guard let manifest = catalog.entry(ofClass: className)?.manifest,
            let declaration = manifest.classDeclaration(className)
        else { return nil }
        self.declaration = declaration
        self.manifest = manifest
    }

    /// Returns a line about the class and a table of its selectors.
    func text(on terminal: Terminal) -> String {
        var head = "\(declaration.name) of \(manifest.map { "\($0.name) \($0.version)" } ?? "every host")"
        if let summary = declaration.summary { head += ": \(summary)" }
        let tail = manifest?.refusedSummary.map { "\n\n\($0.escaped)" } ?? ""
        guard !declaration.selectors.isEmpty else { return "\(head.escaped)\n\nIt declares no selectors.\(tail)" }
        let hasSummaries = declaration.selectors.contains { $0.summary != nil }
        var columns: [ListingTable.Column] = [
            "SELECTOR", "KIND", .init(title: "PARAMETERS", shortening: .atEnd), "RESULT",
        ]
        if hasSummaries { columns.append(.init(title: "SUMMARY", shortening: .atEnd)) }
        var table = ListingTable(columns)
        table.rows = declaration.selectors.map { selector in
            let parameters = selector.parameters.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
            var row: [ListingTable.Cell] = [
                .init(text: selector.name), .init(text: "\(selector.kind)"),
                .init(text: parameters.isEmpty ? "-" : parameters), .init(text: selector.result ?? "-"),
            ]
            if hasSummaries { row.append(.init(text: selector.summary ?? "", color: .faint)) }
            return row
        }
        return "\(head.escaped)\n\n\(table.text(on: terminal))\(tail)"
    }

    /// Returns the listing as one JSON object, described in the help of `hslink call`.
    func json() throws(PayloadError) -> String {
        let listing: Payload = [
            "class": .string(declaration.name), "component": .string(manifest?.name ?? TextRule.hostName),
            "summary": declaration.summary.payload, "selectors": .array(declaration.selectors.map(selector)),
        ]
        return try listing.json()
    }

    private func selector(_ selector: SelectorDeclaration) -> Payload {
        [
            "name": .string(selector.name), "kind": .string("\(selector.kind)"),
            "parameters": .array(
                selector.parameters.map { ["name": .string($0.name), "type": .string($0.type)] }),
            "result": selector.result.payload, "summary": selector.summary.payload,
        ]
    }
}

/// The classes that every host has, as this program knows them. Another version of a running host may have others.
enum OwnClasses {
    static var names: [String] { LinkHost.ownClasses.map(\.name) }

    static func declaration(of className: String) -> ClassDeclaration? {
        LinkHost.ownClasses.first { $0.name.isExactly(className) }
    }
}
