import PageKit
import Testing

@testable import ComponentWeb

@Suite("Charts in HTML")
struct ChartTests {
    static let values: [(values: [Double], ticks: [String])] = [
        ([], ["0", "1"]), ([0, 0], ["0", "1"]), ([Double.leastNonzeroMagnitude], ["0", "0.5", "1"]),
        ([3], ["0", "1", "2", "3"]), ([-3], ["-3", "-2", "-1", "0"]), ([1, 2], ["0", "1", "2"]), ([1], ["0", "1"]),
        ([1.5, 2], ["0", "0.5", "1", "1.5", "2"]), ([10, 7], ["0", "5", "10"]),
        ([10, 7.5], ["0", "2.5", "5", "7.5", "10"]), ([100], ["0", "25", "50", "75", "100"]),
        ([12, 1], ["0", "5", "10", "15"]),
        ([0.001, 0.0042], ["0", "0.002", "0.004", "0.006"]), ([-5, 10], ["-5", "0", "5", "10"]),
        ([320, 210, 3], ["0", "100", "200", "300", "400"]),
        ([1e300, -1e300], ["-1e300", "-0.5e300", "0", "0.5e300", "1e300"]),
        ([Double.greatestFiniteMagnitude], ["0", "0.5e308", "1e308", "1.5e308", "2e308"]),
        ([2e-9], ["0", "0.5e-9", "1e-9", "1.5e-9", "2e-9"]),
        ([1e15], ["0", "0.25e15", "0.5e15", "0.75e15", "1e15"]),
        ([.infinity, .nan, 2], ["0", "1", "2"]),
    ]

    @Test("have round numbers on their axis", arguments: values)
    func ticks(values: [Double], ticks: [String]) {
        let scale = ChartScale(values, includesZero: true)
        #expect(scale.ticks.map(scale.text) == ticks)
        for value in values {
            let share = scale.share(of: value)
            #expect((0...1).contains(share))
        }
    }

    @Test("a line need not begin at zero, a bar does")
    func zero() {
        let raised = ChartScale([90, 100], includesZero: false)
        #expect(raised.ticks.first.map(raised.text) == "90")
        #expect(ChartScale([90, 100], includesZero: true).ticks.first == 0)
        #expect(ChartScale([10, 100], includesZero: false).ticks.first == 0)
        #expect(ChartScale([7, 7], includesZero: false).ticks.first == 0)
        let scale = ChartScale([90, 95, 100], includesZero: false)
        #expect(scale.share(of: 90) == 0 && scale.share(of: 100) == 1 && abs(scale.share(of: 95) - 0.5) < 1e-9)
    }

    private static func chart(_ style: ChartStyle, _ labels: Int, _ series: [[Double]]) throws -> HTMLElement {
        try WebSamples.element(
            Chart(
                style, title: "Title", labels: (0..<labels).map { "l\($0)" },
                series.enumerated().map { ChartSeries(name: "s\($0)", values: $1) }))
    }

    @Test("show each value as a bar on the line of zero, with the values in a table")
    func bars() throws {
        let chart = try Self.chart(.bar, 2, [[10, -5], [0, 10]])
        let bars = chart.find("rect").map { [$0["y"], $0["height"]].map { Int($0 ?? "") ?? -1 } }
        // From -5 to 10 in a space of 1000; zero is at 667.
        #expect(bars == [[0, 667], [667, 333], [667, 0], [0, 667]])
        #expect(chart.find("g").compactMap { $0["data-series"] } == ["1", "2"])
        #expect(chart.first(".legend")?.find("li").map(\.text) == ["s0", "s1"])
        let rows = chart.first("tbody")?.find("tr").map { $0.children.map(\.text) }
        #expect(rows == [["l0", "10", "0"], ["l1", "-5", "10"]])
        let drawing = try #require(chart.first("svg"))
        #expect(drawing["role"] == "img" && drawing.first("title")?.text == "Title")
        #expect(drawing.first("desc")?.text == "l0 to l1. s0: from -5 to 10; s1: from 0 to 10.")
    }

    @Test("have bars below each other if the names are long, whole, with the values behind them")
    func names() throws {
        func chart(_ style: ChartStyle, _ values: [Double], labels: [String] = ["AccountPages.find", "b"]) throws
            -> HTMLElement
        {
            let series = [ChartSeries(name: "s", values: values), ChartSeries(name: "t", values: [0, 1])]
            return try WebSamples.element(Chart(style, title: "Title", labels: labels, series))
        }
        let bars = try #require(try chart(.bar, [400, 100]).first(".bars"))
        #expect(bars.children.map(\.text) == ["AccountPages.find s 400 t 0", "b s 100 t 1"])
        #expect(bars.find("rect").map { $0["width"] } == ["1000", "0", "250", "4"])
        #expect(bars.find("rect").map { $0["data-series"] } == ["1", "2", "1", "2"])
        // Others are drawn.
        for other in [
            try chart(.line, [400, 100]), try chart(.bar, [400, -1]), try chart(.bar, [4, 1], labels: ["a", "b"]),
        ] {
            #expect(other.first(".bars") == nil && other.first(".plot") != nil)
        }
    }

    @Test("draw a line through all values")
    func lines() throws {
        let chart = try Self.chart(.line, 3, [[0, 50, 100]])
        #expect(chart.find(".curve").map { $0["d"] } == ["M1667 1000L5000 500L8333 0"])
        #expect(chart.find(".points").map { $0["d"] } == ["M1667 1000h0M5000 500h0M8333 0h0"])
        #expect(chart.first(".legend") == nil)
    }

    @Test("say so if they have no values")
    func empty() throws {
        for chart in [try Self.chart(.line, 0, [[]]), try Self.chart(.bar, 3, []), try Self.chart(.bar, 0, [])] {
            #expect(chart.first("svg") == nil && chart.text == "TitleNo values.")
        }
        // A series that is too short, which no page accepts.
        #expect(try Self.chart(.bar, 2, [[1]]).find("rect").count == 1)
        #expect(try Self.chart(.line, 2, [[]]).find(".curve").isEmpty)
    }

    @Test("of very many values hide no extreme, and are as small as others")
    func many() throws {
        var values = [Double](repeating: 1, count: 100_000)
        values[54_321] = 1000
        values[77_777] = -1000
        for style in [ChartStyle.line, .bar] {
            let chart = try Self.chart(style, values.count, [values])
            let points = chart.find("rect").compactMap { $0["height"] }.compactMap { Int($0) }
            let curve = chart.first(".curve")?["d"] ?? ""
            #expect(style == .bar ? points.count == 240 && points.count { $0 == 500 } == 2 : curve.hasSuffix("500"))
            if style == .line { #expect(curve.contains(" 0L") && curve.contains(" 1000L")) }
            #expect(chart.first("tbody")?.find("tr").count == 500)
            #expect(chart.text.contains("… 99500 more"))
            #expect(chart.description.utf8.count < 100_000)
        }
        let series = try Self.chart(.bar, 1, [[Double]](repeating: [1], count: 5000))
        #expect(series.find("rect").count == 12 && series.text.contains("… 4988 more"))
    }
}
