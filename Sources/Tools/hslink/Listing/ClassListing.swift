import ComponentHost
import ComponentKit
import SystemSupport

/// The output of `hslink call CLASS`: the selectors of a class with their parameters, from its manifest.
struct ClassListing {
    let entry: Catalog.Entry
    let declaration: ClassDeclaration

    /// Finds the class; nil if no component in the catalog has it.
    init?(_ className: String, in catalog: Catalog) {
        guard let entry = catalog.entry(ofClass: className),
            let declaration = entry.manifest.classDeclaration(className)
        else { return nil }
        self.entry = entry
        self.declaration = declaration
    }

    /// Returns a line about the class and a table of its selectors.
    func text(on terminal: Terminal) -> String {
        var head = "\(declaration.name) of \(entry.manifest.name) \(entry.manifest.version)"
        if let summary = declaration.summary { head += ": \(summary)" }
        let tail = entry.manifest.refusedSummary.map { "\n\n\($0.escaped)" } ?? ""
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
            "class": .string(declaration.name), "component": .string(entry.manifest.name),
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
