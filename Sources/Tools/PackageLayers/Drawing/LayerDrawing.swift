/// A drawing of the layers for Graphviz: one cluster for each layer, and an arrow for each dependency.
package struct LayerDrawing {
    private let report: LayerReport

    package init(_ report: LayerReport) { self.report = report }

    /// The text that `dot` reads.
    ///
    /// Arrows that break a rule are red; those that an exception accepts are dashed. Products of the same package are
    /// one node.
    package var text: String {
        var lines = [
            "digraph \(LayerDrawing.quoted(report.package.name)) {", "  rankdir=TB; newrank=true; compound=true;",
            "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"sans-serif\"];",
            "  edge [color=\"#707070\"];",
        ]
        let nodes = report.members
        for layer in Layer.allCases {
            let members = nodes.filter { $0.placement.layer == layer }
            guard !members.isEmpty else { continue }
            lines.append("  subgraph \"cluster_\(layer.rawValue)\" {")
            lines.append("    label=\(LayerDrawing.quoted(layer.title)); style=filled; color=\"#e8eef4\";")
            for node in members {
                lines.append("    \(LayerDrawing.quoted(node.identifier)) [label=\(LayerDrawing.quoted(node.name))];")
            }
            lines.append("  }")
        }
        lines += arrowLines
        lines.append("}")
        return lines.joined(separator: "\n")
    }

    private var arrowLines: [String] {
        var lines: [String] = []
        var drawn: Set<String> = []
        // Several products of one package are one arrow, in the colour of the worst.
        for arrow in report.arrows.sorted(by: { ($0.fault != nil ? 0 : 1) < ($1.fault != nil ? 0 : 1) }) {
            guard let to = report.member(for: arrow.to) else { continue }
            let ends = "  \(LayerDrawing.quoted("target \(arrow.from)")) -> \(LayerDrawing.quoted(to.identifier))"
            guard drawn.insert(ends).inserted else { continue }
            if arrow.fault != nil {
                lines.append("\(ends) [color=red, penwidth=2];")
            } else if let exception = arrow.exception {
                lines.append("\(ends) [style=dashed, tooltip=\(LayerDrawing.quoted(exception))];")
            } else {
                lines.append("\(ends);")
            }
        }
        return lines
    }

    /// The text as a quoted string. In Graphviz, a backslash begins an escape in labels, and quotation marks end the
    /// string; line breaks and control characters would break the lines of this text, and marks of direction its order.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case _ where scalar.properties.generalCategory == .control || scalar.properties.isBidiControl: quoted += " "
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
