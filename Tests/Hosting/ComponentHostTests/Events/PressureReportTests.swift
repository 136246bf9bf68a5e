import ComponentKit
import Testing

@testable import ComponentHost

@Suite("Memory pressure in the log")
struct PressureReportTests {
    @Test("what the kernel tells every two seconds is logged once for each level, and then at growing distances")
    func distances() {
        var reports = PressureReports()
        let start = ContinuousClock.now
        let logged = stride(from: 0, to: 600, by: 2).filter { reports.isLogged(.some, at: start + .seconds($0)) }
        #expect(logged == [0, 60, 180, 420])
        #expect(reports.isLogged(.full, at: start + .seconds(601)))
        #expect(!reports.isLogged(.full, at: start + .seconds(603)))
        #expect(!reports.isLogged(.some, at: start + .seconds(603)))
    }

    @Test("after five quiet minutes a report is logged again")
    func quiet() {
        var reports = PressureReports()
        let start = ContinuousClock.now
        #expect(reports.isLogged(.some, at: start))
        #expect(!reports.isLogged(.some, at: start + .seconds(2)))
        #expect(reports.isLogged(.some, at: start + .seconds(302)))
    }
}
