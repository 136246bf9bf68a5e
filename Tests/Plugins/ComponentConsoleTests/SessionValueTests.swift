import ComponentKit
import TestSupport
import Testing

@testable import ComponentConsole

@Suite("What people have chosen")
struct SessionValueTests {
    @Test("is apart for each session and subject")
    func apart() throws {
        let values = SessionValues<Int>()
        let sessions = [try Session(id: "a"), try Session(id: "b"), nil]
        for (number, session) in sessions.enumerated() {
            Session.with(session) {
                #expect(values["x"] == nil)
                values["x"] = number
                values["y"] = number + 10
            }
        }
        for (number, session) in sessions.enumerated() {
            Session.with(session) {
                #expect(values["x"] == number && values["y"] == number + 10 && values[] == nil)
            }
        }
        values["x"] = nil
        #expect(values["x"] == nil && values["y"] == 12)
    }

    @Test("makes room when there is too much, the oldest first")
    func limit() {
        let values = SessionValues<Int>(most: 3)
        for number in 0..<3 { values["\(number)"] = number }
        values["0"] = 7
        values["3"] = 3
        #expect((0..<4).map { values["\($0)"] } == [7, nil, 2, 3])
    }
}
