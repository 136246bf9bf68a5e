import ComponentKit
import Testing

@testable import ComponentHost

@Suite("Memory pressure in the log")
struct PressureReportTests {
    /// Returns which of these reports are logged.
    private func logged(_ reported: [(level: MemoryPressure.Level, second: Int)]) -> [Int] {
        var reports = PressureReports()
        let start = ContinuousClock.now
        var seconds: [Int] = []
        for (level, second) in reported where reports.isLogged(level, at: start + .seconds(second)) {
            seconds.append(second)
        }
        return seconds
    }

    @Test("what the kernel tells every two seconds is logged once for each level, and then at growing distances")
    func distances() {
        let lasting = stride(from: 0, to: 600, by: 2).map { (level: MemoryPressure.Level.some, second: $0) }
        #expect(logged(lasting) == [0, 60, 180, 420])
        #expect(logged(lasting + [(.full, 601), (.full, 603), (.some, 603)]) == [0, 60, 180, 420, 601])
    }

    @Test("after five quiet minutes a report is logged again")
    func quiet() { #expect(logged([(.some, 0), (.some, 2), (.some, 302)]) == [0, 302]) }
}
