import ComponentKit
import Testing

@Suite("Points in time as text")
struct TimestampTests {
    @Test(
        "a time is written with nine digits in UTC, and read back",
        arguments: [
            (0, 0, "1970-01-01T00:00:00.000000000Z"),
            (-1, 999_999_999, "1969-12-31T23:59:59.999999999Z"),
            (1_767_323_045, 6, "2026-01-02T03:04:05.000000006Z"),
            (951_782_400, 0, "2000-02-29T00:00:00.000000000Z"),
            (4_107_542_399, 0, "2100-02-28T23:59:59.000000000Z"),
            (4_107_542_400, 0, "2100-03-01T00:00:00.000000000Z"),
            (-2_203_891_200, 0, "1900-03-01T00:00:00.000000000Z"),
            (-11_670_998_400, 1, "1600-02-29T00:00:00.000000001Z"),
            (-12_219_292_800, 0, "1582-10-15T00:00:00.000000000Z"),
            (1_735_689_599, 120_000_000, "2024-12-31T23:59:59.120000000Z"),
            (2_147_483_648, 0, "2038-01-19T03:14:08.000000000Z"),
            (-62_135_596_800, 0, "0001-01-01T00:00:00.000000000Z"),
            (-62_162_078_400, 0, "0000-02-29T12:00:00.000000000Z"),
            (-62_167_219_200, 0, "0000-01-01T00:00:00.000000000Z"),
            (253_402_300_799, 999_999_999, "9999-12-31T23:59:59.999999999Z"),
        ] as [(Int64, UInt32, String)])
    func texts(seconds: Int64, nanoseconds: UInt32, text: String) {
        let time = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
        #expect(time.rfc3339 == text)
        #expect(Timestamp(rfc3339: text) == time)
    }

    @Test("every day of 400 years is the one after the day before")
    func everyDay() {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var (year, month, day) = (1800, 1, 1)
        var seconds: Int64 = -5_364_662_400
        var wrong: [String] = []
        while year < 2200 {
            let text = Timestamp(seconds: seconds).rfc3339 ?? ""
            let parts = text.prefix(10).split(separator: "-").map { Int($0) }
            if parts != [year, month, day] || Timestamp(rfc3339: text)?.seconds != seconds { wrong.append(text) }
            let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
            (seconds, day) = (seconds + 86_400, day + 1)
            if day > lengths[month - 1] + (isLeap && month == 2 ? 1 : 0) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        #expect(wrong == [])
    }

    @Test(
        "years that RFC 3339 cannot express have no text",
        arguments: [-62_167_219_201, 253_402_300_800, .min, .max] as [Int64])
    func beyond(seconds: Int64) {
        #expect(Timestamp(seconds: seconds, nanoseconds: 5).rfc3339 == nil)
    }

    @Test(
        "fewer digits, small letters and offsets are read",
        arguments: [
            ("2026-01-02T03:04:05Z", 1_767_323_045, 0), ("2026-01-02t03:04:05.5z", 1_767_323_045, 500_000_000),
            ("2026-01-02T03:04:05.123456+00:00", 1_767_323_045, 123_456_000),
            ("2026-01-02T05:34:05+02:30", 1_767_323_045, 0), ("2026-01-01T19:04:05-08:00", 1_767_323_045, 0),
            ("0000-01-01T00:00:00+01:00", -62_167_222_800, 0), ("9999-12-31T23:59:59-23:59", 253_402_387_139, 0),
        ] as [(String, Int64, UInt32)])
    func lenient(text: String, seconds: Int64, nanoseconds: UInt32) {
        #expect(Timestamp(rfc3339: text) == Timestamp(seconds: seconds, nanoseconds: nanoseconds))
    }

    @Test(
        "an invalid time is refused",
        arguments: [
            "", "2026", "2026-01-02", "2026-01-02T03:04:05", "2026-01-02 03:04:05Z", "2026-1-2T03:04:05Z",
            "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z",
            "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-12-32T00:00:00Z",
            "2026-01-02T24:00:00Z", "2026-01-02T03:60:05Z", "2026-01-02T03:04:60Z", "2016-12-31T23:59:60Z",
            "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05.0123456789Z", "2026-01-02T03:04:05,5Z",
            "2026-01-02T03:04:05+0200", "2026-01-02T03:04:05+24:00", "2026-01-02T03:04:05+02:60",
            "2026-01-02T03:04:05Z ", " 2026-01-02T03:04:05Z", "-026-01-02T03:04:05Z", "12026-01-02T03:04:05Z",
            "2026-01-02T03:04:05ZZ", "2026-01-02T03:04:0५Z", "+026-01-02T03:04:05Z",
        ])
    func refused(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }
}
