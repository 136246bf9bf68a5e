import PageKit

extension PageText {
    /// The number of columns that bars have at most.
    private static let barLimit = 40
    /// The number of labels of a bar chart that are shown.
    private static let labelLimit = 100

    func lines(of content: ProgressContent, in place: Place) -> [TextLine] {
        var line = TextLine(content.label)
        line.append("  ")
        guard let fraction = content.fraction, fraction.isFinite else {
            line.append("… (in progress)", .faint)
            return line.wrapped(to: place.room.width, hanging: 2)
        }
        let share = min(max(fraction, 0), 1)
        let percent = " \(Int((share * 100).rounded(.down))) %"
        let length = place.room.width.map { min(20, $0 - percent.width) } ?? 20
        let filled = Int((share * Double(length)).rounded(.down))
        var bar = TextLine(String(repeating: "█", count: filled), .good)
        bar.append(String(repeating: "░", count: length - filled), .faint)
        bar.append(percent)
        if place.room.width.map({ line.width + bar.width <= $0 }) ?? true {
            line.append(bar)
            return [line]
        }
        return TextLine(content.label).wrapped(to: place.room.width) + [bar]
    }

    func lines(of content: StatContent, in place: Place) -> [TextLine] {
        var line = TextLine("\(content.label): ")
        line.append(content.value, content.tone == .neutral ? .strong : content.tone.ink)
        if let unit = content.unit { line.append(" \(unit)") }
        if let change = content.change { line.append(" (\(change))", .faint) }
        return line.wrapped(to: place.room.width, hanging: 2)
    }

    func lines(of content: ChartContent, in place: Place) -> [TextLine] {
        let title = TextLine(content.title, .strong).wrapped(to: place.room.width)
        guard !content.labels.isEmpty, !content.series.isEmpty else { return title + [TextLine("no values", .faint)] }
        switch content.style {
        case .bar: return title + bars(of: content, limit: place.room.width)
        case .line: return title + curves(of: content, limit: place.room.width)
        }
    }

    // MARK: - Bars

    private func bars(of content: ChartContent, limit: Int?) -> [TextLine] {
        let values = content.series.flatMap(\.values).filter(\.isFinite)
        let most = values.map(\.magnitude).max() ?? 0
        let shown = content.labels.prefix(PageText.labelLimit)
        let hasNames = content.series.count > 1
        let names = hasNames ? content.series.map { TextLine($0.name) } : []
        let heads = hasNames ? [] : shown.map { TextLine($0) }
        let head = min((names + heads).width, limit.map { $0 / 3 } ?? .max)
        let number = values.map(\.shortText.width).max() ?? 0
        let room = limit.map { min(PageText.barLimit, $0 - head - 2 - number) } ?? PageText.barLimit
        var lines: [TextLine] = []
        for (index, label) in shown.enumerated() {
            if hasNames { lines += TextLine(label).wrapped(to: limit) }
            for (series, line) in zip(content.series, hasNames ? names : [heads[index]]) {
                guard series.values.indices.contains(index) else { continue }
                let value = series.values[index]
                var bar = line.shortened(to: head)
                bar.pad(to: head + 1)
                if room > 0, most > 0, value.isFinite {
                    let length = Int((value.magnitude / most * Double(room)).rounded())
                    bar.append(String(repeating: value < 0 ? "░" : "█", count: min(length, room)), .good)
                    bar.append(" ")
                }
                bar.append(value.shortText)
                lines += bar.wrapped(to: limit)
            }
        }
        let rest = content.labels.count - shown.count
        if rest > 0 { lines.append(TextLine("… \(rest) more", .faint).shortened(to: limit)) }
        return lines
    }

    // MARK: - Lines

    private func curves(of content: ChartContent, limit: Int?) -> [TextLine] {
        let head = min(content.series.map { TextLine($0.name) }.width, limit.map { $0 / 3 } ?? .max)
        let room = max((limit ?? 80) - head - 1, 1)
        let all = content.series.flatMap(\.values).filter(\.isFinite)
        let range = (all.min() ?? 0)...(all.max() ?? 0)
        var lines = content.series.map { series in
            var line = TextLine(series.name).shortened(to: head)
            line.pad(to: head + 1)
            line.append(PageText.curve(of: series.values, in: range, width: room), .good)
            return line
        }
        var ends = TextLine(content.labels.first ?? "")
        if let last = content.labels.last, content.labels.count > 1 { ends.append(" … \(last)") }
        ends.append(": from \(range.lowerBound.shortText) to \(range.upperBound.shortText)")
        lines += [TextLine(ends.text(hasColor: false), .faint)].wrapped(to: limit, hanging: 2)
        return lines
    }

    /// Returns a block for each value, or for each group of neighbours if there are more than `width`.
    private static func curve(of values: [Double], in range: ClosedRange<Double>, width: Int) -> String {
        let blocks = Array("▁▂▃▄▅▆▇█")
        let count = min(values.count, width)
        return String(
            (0..<count).map { index in
                let group = values[(index * values.count / count)..<((index + 1) * values.count / count)]
                // Halved, so that no difference is infinite.
                let mean = group.reduce(0) { $0 + $1 / Double(group.count) }
                let span = range.upperBound / 2 - range.lowerBound / 2
                guard span > 0, mean.isFinite else { return blocks[0] }
                let share = (mean / 2 - range.lowerBound / 2) / span
                return blocks[min(max(Int(share * 8), 0), 7)]
            })
    }
}
