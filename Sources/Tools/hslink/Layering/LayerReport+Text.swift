import ComponentKit
import PackageLayers

extension LayerReport {
    /// Returns the layers as a table, and the findings below it.
    func text(on terminal: Terminal) -> String {
        var table = ListingTable([.init(title: "LAYER"), .init(title: "TARGETS AND PACKAGES")])
        let members = members
        for layer in Layer.allCases {
            let names = members.filter { $0.placement.layer == layer }.map(\.name)
            guard !names.isEmpty else { continue }
            table.rows.append([.init(text: layer.title), .init(text: names.joined(separator: ", "))])
        }
        var lines = [table.text(on: terminal)]
        if !findings.isEmpty { lines.append("") }
        var explained: Set<String> = []
        for finding in findings {
            lines.append(finding.line)
            if let note = finding.note, explained.insert(note).inserted { lines.append(note) }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns one JSON object.
    func json() throws(PayloadError) -> String {
        var object = JSONObject()
        try object.set("package", package.name)
        var layers: [JSONObject] = []
        for member in members {
            var entry = JSONObject()
            try entry.set("layer", member.placement.layer.rawValue)
            try entry.set("name", member.name)
            try entry.set("reason", member.placement.reason)
            try entry.set("file", member.placement.place?.path)
            try entry.set("line", member.placement.place.map { .int(Int64($0.position.line)) } ?? .null)
            layers.append(entry)
        }
        object.set("layers", layers)
        var list: [JSONObject] = []
        for finding in findings {
            var entry = JSONObject()
            try entry.set("kind", finding.kind.rawValue)
            try entry.set("file", finding.path)
            try entry.set("line", .int(Int64(finding.position.line)))
            try entry.set("column", .int(Int64(finding.position.column)))
            try entry.set("target", finding.target)
            try entry.set("dependency", finding.dependency)
            try entry.set("message", finding.message)
            list.append(entry)
        }
        object.set("findings", list)
        var exceptions: [JSONObject] = []
        for exception in package.statement.exceptions {
            var entry = JSONObject()
            try entry.set("target", exception.target)
            try entry.set("uses", exception.uses)
            try entry.set("reason", exception.reason)
            exceptions.append(entry)
        }
        object.set("exceptions", exceptions)
        return object.text
    }
}
