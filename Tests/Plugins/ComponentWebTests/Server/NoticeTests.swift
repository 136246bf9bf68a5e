import ComponentKit
import Testing

@testable import ComponentWeb

@Suite("What is to be said on the next page")
struct NoticeTests {
    private func session(_ number: Int) throws -> Session { try Session(id: "session-\(number)") }

    @Test("is said once, and the last message of a session counts")
    func once() throws {
        let notices = Notices()
        let one = try session(1)
        #expect(!notices.has(one) && notices.take(one) == nil)
        notices.put(PageMessage(text: "first"), one)
        notices.put(PageMessage(text: "second"), one)
        #expect(notices.has(one))
        #expect(notices.take(one)?.text == "second")
        #expect(!notices.has(one) && notices.take(one) == nil)
    }

    @Test("beyond the most, the message that was kept for longest is forgotten, and the others are not")
    func most() throws {
        let notices = Notices(most: 3)
        for number in 0..<3 { notices.put(PageMessage(text: "\(number)"), try session(number)) }
        // Another message of a session takes no further place.
        notices.put(PageMessage(text: "again"), try session(0))
        notices.put(PageMessage(text: "3"), try session(3))
        let said = try (0..<4).map { notices.take(try session($0))?.text }
        #expect(said == ["again", nil, "2", "3"])
    }
}
