public import ComponentKit

/// How far something has come.
public struct ProgressBar: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - label: what is being done.
    ///   - fraction: how much of it is done, from 0 to 1; nil if that is not known.
    public init(_ label: String, fraction: Double? = nil) {
        node = ViewNode(.progress(ProgressContent(label: label, fraction: fraction)))
    }
}

/// The content of a ``ProgressBar``.
@Model public struct ProgressContent: Hashable, Sendable {
    /// What is being done.
    public var label: String
    /// How much of it is done, from 0 to 1; nil if that is not known.
    public var fraction: Double?
}

/// A figure with its name.
///
/// ```swift
/// Stat("Calls", "\(count)", unit: "per second", change: "+3 %")
/// ```
public struct Stat: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - label: what the figure counts.
    ///   - value: the figure, formatted.
    ///   - unit: its unit.
    ///   - change: how it has changed.
    ///   - tone: what the figure means to the reader, such as a failure if it should be zero.
    public init(
        _ label: String, _ value: String, unit: String? = nil, change: String? = nil, tone: Tone = .neutral
    ) {
        node = ViewNode(.stat(StatContent(label: label, value: value, unit: unit, change: change, tone: tone)))
    }
}

/// The content of a ``Stat``.
@Model public struct StatContent: Hashable, Sendable {
    /// What the figure counts.
    public var label: String
    /// The figure, formatted.
    public var value: String
    /// Its unit.
    public var unit: String?
    /// How it has changed.
    public var change: String?
    /// What the figure means to the reader.
    public var tone: Tone = .neutral
}

/// Values as lines or bars.
///
/// ```swift
/// Chart(.bar, title: "Sales", labels: ["Mon", "Tue"], [ChartSeries(name: "Books", values: [3, 5])])
/// ```
public struct Chart: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - style: lines or bars.
    ///   - title: the subject of the chart.
    ///   - labels: the names of the places on the horizontal axis.
    ///   - series: the values; each series has one for each label.
    public init(_ style: ChartStyle, title: String, labels: [String], _ series: [ChartSeries]) {
        node = ViewNode(.chart(ChartContent(style: style, title: title, labels: labels, series: series)))
    }
}

/// How a ``Chart`` shows its values.
@Model public enum ChartStyle: String, Hashable, Sendable {
    case line, bar
}

/// Values of one kind in a ``Chart``.
@Model public struct ChartSeries: Hashable, Sendable {
    /// What the values are.
    public var name: String
    /// A finite value for each label.
    public var values: [Double]
}

/// The content of a ``Chart``.
@Model public struct ChartContent: Hashable, Sendable {
    /// Lines or bars.
    public var style: ChartStyle
    /// The subject of the chart.
    public var title: String
    /// The names of the places on the horizontal axis.
    public var labels: [String]
    /// The values; each series has one for each label.
    public var series: [ChartSeries]
}
