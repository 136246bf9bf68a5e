import ComponentKit
import Foundation
import Testing

@Suite("Points in time")
struct DeadlineArithmeticTests {
    @Test(
        "never exceed the range of the clock",
        arguments: [
            Duration.seconds(Int64.max), .seconds(1 << 40), .seconds(18_446_744_073),
            Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
        ])
    func huge(duration: Duration) {
        let deadline = Deadline.after(duration)
        #expect(!deadline.hasPassed)
        #expect(deadline.remaining > .seconds(1_000_000_000))
        #expect(deadline > Deadline.after(.seconds(1_000_000)))
    }

    @Test(
        "negative durations mean now",
        arguments: [
            Duration.seconds(-1), .seconds(Int64.min), .nanoseconds(-1), .milliseconds(-500),
        ])
    func negative(duration: Duration) {
        let deadline = Deadline.after(duration)
        #expect(deadline.hasPassed)
        #expect(deadline.remaining == .zero)
        #expect(deadline.nanoseconds > 0)
    }

    @Test("the last second before the end of the clock does not wrap to the past")
    func lastSecond() {
        let now = Deadline.after(.zero).nanoseconds
        let seconds = (UInt64.max - now) / 1_000_000_000
        let deadline = Deadline.after(.seconds(Int64(seconds)) + .nanoseconds(999_999_999))
        #expect(!deadline.hasPassed)
    }

    @Test("the remaining time can be read at any moment")
    func remainingAtTheEnd() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<20_000 {
                let deadline = Deadline.after(.nanoseconds(500))
                while deadline.remaining > .zero {}
            }
        }
    }

    @Test("the boundary's value for none means no deadline")
    func none() {
        #expect(Deadline(boundary: 0) == nil)
        #expect(Deadline(boundary: 1)?.hasPassed == true)
        #expect(Deadline(boundary: .max)?.hasPassed == false)
    }
}
