import PageKit

extension ViewWriter {
    mutating func progress(_ content: ProgressContent) {
        out.markup(#"<label class="progress"><span class="progress-text"><span>"#)
        out.text(content.label)
        out.markup("</span>")
        if let fraction = content.fraction, fraction.isFinite {
            let thousandths = Int((min(max(fraction, 0), 1) * 1000).rounded(.down))
            out.markup(#" <span class="caption">"#)
            out.number(thousandths / 10)
            out.markup(#" %</span></span><progress max="1000""#)
            out.attribute("value", thousandths)
            out.markup("></progress></label>")
        } else {
            out.markup("</span><progress></progress></label>")
        }
    }

    /// Writes a word about a state. Its colour and the dot before it only make it easier to find.
    mutating func badge(_ text: String, _ tone: Tone) {
        out.markup(#"<span class="badge "#)
        out.markup(tone.className)
        out.markup("\">")
        out.text(text)
        out.markup("</span>")
    }

    mutating func stat(_ content: StatContent, _ node: ViewNode) {
        out.markup(#"<p class="stat"#)
        if content.tone != .neutral {
            out.markup(" ")
            out.markup(content.tone.className)
        }
        out.markup(#""><span class="stat-label">"#)
        if let action = node.action {
            control(action, class: "plain") { $0.out.text(content.label) }
        } else {
            out.text(content.label)
        }
        out.markup(#"</span> <span class="stat-value">"#)
        out.text(content.value)
        if let unit = content.unit {
            out.markup(#" <span class="stat-unit">"#)
            out.text(unit)
            out.markup("</span>")
        }
        out.markup("</span>")
        if let change = content.change {
            out.markup(#" <span class="stat-change">"#)
            out.text(change)
            out.markup("</span>")
        }
        out.markup("</p>")
    }

    /// A chart is a drawing that fills its place, with texts beside it that keep their size, and a table of its values.
    mutating func chart(_ content: ChartContent) {
        out.markup(#"<figure class="chart"><figcaption>"#)
        out.text(content.title)
        out.markup("</figcaption>")
        let series = content.series.prefix(ChartDrawing.mostSeries)
        if content.labels.isEmpty || series.isEmpty {
            out.markup(#"<p class="empty">No values.</p></figure>"#)
            return
        }
        if content.series.count > 1 { legend(content) }
        if content.needsRoomForLabels { bars(content) } else { drawing(content) }
        values(content)
        out.markup("</figure>")
    }

    /// Writes the bars below each other: there is room for the whole names, and for the values.
    private mutating func bars(_ content: ChartContent) {
        let series = content.series.prefix(ChartDrawing.mostSeries)
        let most = series.lazy.flatMap(\.values).max() ?? 0
        out.markup(#"<ul class="bars" role="list">"#)
        for (index, label) in content.labels.enumerated() {
            out.markup(#"<li><span class="bar-label">"#)
            out.text(label)
            out.markup("</span>")
            for (number, series) in series.enumerated() where series.values.indices.contains(index) {
                let value = series.values[index]
                out.markup(#"<svg class="bar-line" aria-hidden="true" viewBox="0 0 1000 1" "#)
                out.markup(#"preserveAspectRatio="none"><rect"#)
                out.attribute("data-series", ChartDrawing.colour(number))
                out.attribute("width", most > 0 ? max(Int((value / most * 1000).rounded()), value > 0 ? 4 : 0) : 0)
                out.markup(#" height="1"/></svg> <span class="bar-value">"#)
                if content.series.count > 1 {
                    out.markup(#"<span class="unseen">"#)
                    out.text(series.name)
                    out.markup(" </span>")
                }
                out.text(value.shortText)
                out.markup("</span>")
            }
            out.markup("</li>")
        }
        out.markup("</ul>")
    }

    private mutating func drawing(_ content: ChartContent) {
        let drawing = ChartDrawing(content)
        out.markup(#"<div class="plot"><div class="axis values" aria-hidden="true">"#)
        for tick in drawing.scale.ticks.reversed() {
            out.markup("<span>")
            out.text(drawing.scale.text(of: tick))
            out.markup("</span>")
        }
        out.markup("</div>")
        drawing.write(to: &out)
        out.markup(
            content.labels.count > 12
                ? #"<div class="axis ends" aria-hidden="true">"# : #"<div class="axis labels" aria-hidden="true">"#)
        for label in content.axisLabels {
            out.markup("<span>")
            out.text(label)
            out.markup("</span>")
        }
        out.markup("</div></div>")
    }

    private mutating func legend(_ content: ChartContent) {
        out.markup(#"<ul class="legend" role="list">"#)
        for (index, series) in content.series.prefix(ChartDrawing.mostSeries).enumerated() {
            out.markup("<li")
            out.attribute("data-series", ChartDrawing.colour(index))
            out.markup(">")
            out.text(series.name)
            out.markup("</li>")
        }
        let rest = content.series.count - ChartDrawing.mostSeries
        if rest > 0 {
            out.markup("<li>… ")
            out.number(rest)
            out.markup(" more</li>")
        }
        out.markup("</ul>")
    }

    /// Writes the values as a table that anybody can unfold.
    private mutating func values(_ content: ChartContent) {
        let series = content.series.prefix(ChartDrawing.mostSeries)
        out.markup(#"<details class="values"><summary>Values<span class="unseen"> of "#)
        out.text(content.title)
        out.markup(#"</span></summary><div class="scroll" role="group" tabindex="0""#)
        out.attribute("aria-label", "Values of \(content.title)")
        out.markup(">")
        out.markup("<table><thead><tr><td></td>")
        for series in series {
            out.markup(#"<th scope="col" class="end">"#)
            out.text(series.name)
            out.markup("</th>")
        }
        out.markup("</tr></thead><tbody>")
        for (index, label) in content.labels.prefix(ChartDrawing.mostRows).enumerated() {
            out.markup(#"<tr><th scope="row">"#)
            out.text(label)
            out.markup("</th>")
            for series in series {
                out.markup(#"<td class="end">"#)
                if series.values.indices.contains(index) { out.text(series.values[index].shortText) }
                out.markup("</td>")
            }
            out.markup("</tr>")
        }
        out.markup("</tbody></table></div>")
        let rest = content.labels.count - ChartDrawing.mostRows
        if rest > 0 {
            out.markup(#"<p class="caption">… "#)
            out.number(rest)
            out.markup(" more</p>")
        }
        out.markup("</details>")
    }
}

extension ChartContent {
    /// Whether the labels would be cut off below the drawing. Only bars that count something can be below each other.
    fileprivate var needsRoomForLabels: Bool {
        style == .bar && labels.count <= 24 && labels.contains { $0.count > 12 }
            && series.allSatisfy { $0.values.allSatisfy { $0.isFinite && $0 >= 0 } }
    }

    /// The labels below the drawing: all of them, or the first, the middle and the last.
    fileprivate var axisLabels: [String] {
        labels.count > 12 ? [labels[0], labels[labels.count / 2], labels[labels.count - 1]] : labels
    }
}

extension Tone {
    /// The class of the elements with this tone.
    var className: StaticString {
        switch self {
        case .neutral: "tone-neutral"
        case .accent: "tone-accent"
        case .success: "tone-success"
        case .warning: "tone-warning"
        case .failure: "tone-failure"
        }
    }
}
