import PageKit

/// The drawing of a chart: lines or bars in a space of 10,000 by 1,000 that is stretched over its place.
struct ChartDrawing {
    let scale: ChartScale
    private let content: ChartContent
    private let series: ArraySlice<ChartSeries>
    /// The ranges of the values that share a place, from the first to the last.
    private let groups: [Range<Int>]

    /// How many series are drawn, and listed in the table.
    static let mostSeries = 12
    /// How many rows the table has.
    static let mostRows = 500
    private static let mostPoints = 800
    private static let mostBars = 240
    private static let width = 10_000.0
    private static let height = 1000.0

    /// Returns which of the colours of the style sheet a series has.
    static func colour(_ index: Int) -> Int { index % 6 + 1 }

    init(_ content: ChartContent) {
        self.content = content
        series = content.series.prefix(ChartDrawing.mostSeries)
        scale = ChartScale(series.lazy.flatMap(\.values), includesZero: content.style == .bar)
        let length = content.labels.count
        let most = content.style == .bar ? ChartDrawing.mostBars : ChartDrawing.mostPoints
        let count = min(length, most)
        groups = (0..<count).map { $0 * length / count..<($0 + 1) * length / count }
    }

    func write(to out: inout HTMLWriter) {
        out.markup(#"<svg class="drawing" role="img" viewBox="0 0 10000 1000" preserveAspectRatio="none"><title>"#)
        out.text(content.title)
        out.markup("</title><desc>")
        out.text(summary)
        out.markup(#"</desc><g class="lines">"#)
        for tick in scale.ticks {
            let y = ChartDrawing.height * (1 - scale.share(ofTick: tick))
            out.markup(
                tick == 0
                    ? #"<path class="zero" vector-effect="non-scaling-stroke" d="M0 "#
                    : #"<path vector-effect="non-scaling-stroke" d="M0 "#)
            out.number(Int(y.rounded()))
            out.markup(#"H10000"/>"#)
        }
        out.markup("</g>")
        for (index, series) in series.enumerated() {
            out.markup("<g")
            out.attribute("data-series", ChartDrawing.colour(index))
            out.markup(">")
            switch content.style {
            case .bar: bars(of: series, index, &out)
            case .line: line(of: series, &out)
            }
            out.markup("</g>")
        }
        out.markup("</svg>")
    }

    /// What the chart says, in words.
    private var summary: String {
        let ends = [content.labels.first, content.labels.count > 1 ? content.labels.last : nil].compactMap(\.self)
        let parts = series.map { series in
            let values = series.values.filter(\.isFinite)
            guard let low = values.min(), let high = values.max() else { return series.name }
            return "\(series.name): from \(low.shortText) to \(high.shortText)"
        }
        return "\(ends.joined(separator: " to ")). \(parts.joined(separator: "; "))."
    }

    private func x(_ group: Int) -> Double { (Double(group) + 0.5) * ChartDrawing.width / Double(groups.count) }

    private func y(_ value: Double) -> Int { Int((ChartDrawing.height * (1 - scale.share(of: value))).rounded()) }

    private func bars(of series: ChartSeries, _ index: Int, _ out: inout HTMLWriter) {
        let slot = ChartDrawing.width / Double(groups.count)
        let width = slot * 0.76 / Double(self.series.count)
        let zero = y(0)
        for (place, group) in groups.enumerated() {
            // Of values that share a bar, the one that is farthest from zero counts.
            guard let value = series.values(in: group).max(by: { $0.magnitude < $1.magnitude }) else { continue }
            let top = y(value)
            let left = Double(place) * slot + slot * 0.12 + Double(index) * width
            out.markup("<rect")
            out.attribute("x", Int(left.rounded()))
            out.attribute("y", min(top, zero))
            out.attribute("width", max(Int((width * 0.94).rounded()), 1))
            out.attribute("height", max(abs(top - zero), value == 0 ? 0 : 4))
            out.markup("/>")
        }
    }

    private func line(of series: ChartSeries, _ out: inout HTMLWriter) {
        var points: [(x: Int, y: Int)] = []
        for (place, group) in groups.enumerated() {
            let values = series.values(in: group)
            guard let first = values.first else { continue }
            let x = Int(self.x(place).rounded())
            if group.count == 1 {
                points.append((x, y(first)))
            } else {
                // Of values that share a place, none is hidden by another.
                points.append((x, y(values.min() ?? first)))
                points.append((x, y(values.max() ?? first)))
            }
        }
        guard !points.isEmpty else { return }
        out.markup(#"<path class="curve" vector-effect="non-scaling-stroke" fill="none" d=""#)
        for (index, point) in points.enumerated() { out.point(index == 0 ? "M" : "L", point) }
        out.markup("\"/>")
        guard groups.count <= 40 else { return }
        // A line without a length has round ends, which are not stretched.
        out.markup(#"<path class="points" vector-effect="non-scaling-stroke" fill="none" d=""#)
        for point in points {
            out.point("M", point)
            out.markup("h0")
        }
        out.markup("\"/>")
    }
}

extension HTMLWriter {
    fileprivate mutating func point(_ command: StaticString, _ point: (x: Int, y: Int)) {
        markup(command)
        number(point.x)
        markup(" ")
        number(point.y)
    }
}

extension ChartSeries {
    fileprivate func values(in group: Range<Int>) -> ArraySlice<Double> { values[group.clamped(to: values.indices)] }
}

extension ChartScale {
    /// Returns where a mark is: from 0 for the lowest to 1 for the highest.
    fileprivate func share(ofTick tick: Double) -> Double {
        let (low, high) = (ticks[0], ticks[ticks.count - 1])
        return (tick - low) / (high - low)
    }
}
