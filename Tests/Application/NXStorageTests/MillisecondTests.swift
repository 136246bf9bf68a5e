import ComponentKit
import NXStorage
import Testing

@Suite("Times in databases")
struct MillisecondTests {
    @Test(
        "milliseconds since 1970 are exact",
        arguments: [
            (0, 0, 0), (1, 0, 1_000_000), (1_800_000_000_123, 1_800_000_000, 123_000_000), (-1, -1, 999_000_000),
            (-1000, -1, 0), (-1001, -2, 999_000_000), (.max, 9_223_372_036_854_775, 807_000_000),
            (.min, -9_223_372_036_854_776, 192_000_000),
        ] as [(Int64, Int64, UInt32)])
    func exact(milliseconds: Int64, seconds: Int64, nanoseconds: UInt32) {
        let time = Timestamp(milliseconds: milliseconds)
        #expect(time == Timestamp(seconds: seconds, nanoseconds: nanoseconds))
        #expect(time.milliseconds == milliseconds)
    }

    @Test("now advances, and has a resolution of milliseconds")
    func now() {
        let before = Timestamp.now
        let now = Timestamp.now
        #expect(now >= before)
        #expect(now.nanoseconds.isMultiple(of: 1_000_000))
        #expect(Timestamp(milliseconds: now.milliseconds) == now)
        #expect(Timestamp(milliseconds: 2500).seconds(since: Timestamp(seconds: 4)) == -1.5)
    }
}
