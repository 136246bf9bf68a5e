/// A point in time, as it crosses the boundary: whole seconds since 1970-01-01T00:00:00Z plus nanoseconds, so no
/// precision is lost, as it would be in a `Double`.
///
/// A time before 1970 has negative seconds; the nanoseconds still count forward.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// The seconds since 1970, without leap seconds.
    public let seconds: Int64
    /// The nanoseconds to add to `seconds`, from 0 to 999,999,999.
    public let nanoseconds: UInt32

    /// - Parameters:
    ///   - seconds: The seconds since 1970.
    ///   - nanoseconds: The nanoseconds to add; traps if they amount to a second or more.
    @inlinable
    public init(seconds: Int64, nanoseconds: UInt32 = 0) {
        precondition(nanoseconds < 1_000_000_000, "nanoseconds must be below one second")
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// Returns whether the left time is earlier than the right one.
    @inlinable
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}

extension Timestamp {
    /// The time in RFC 3339 format, in UTC with nine fractional digits: `2026-01-02T03:04:05.000000006Z`. Nil for years
    /// before 0000 and after 9999, which RFC 3339 cannot represent.
    public var rfc3339: String? {
        guard Timestamp.years0To9999.contains(seconds) else { return nil }
        let (day, secondOfDay) = seconds.dividedRoundingDown(by: 86_400)
        let date = CalendarDate(daysSince1970: Int(day))
        let second = Int(secondOfDay)
        let parts = [
            date.year.padded(to: 4), "-", date.month.padded(to: 2), "-", date.day.padded(to: 2), "T",
            (second / 3600).padded(to: 2), ":", (second / 60 % 60).padded(to: 2), ":", (second % 60).padded(to: 2),
            ".", Int(nanoseconds).padded(to: 9), "Z",
        ]
        return parts.joined()
    }

    /// Reads a time in RFC 3339 format, with up to nine fractional digits, in UTC (`Z`) or with an offset (`+02:00`).
    /// Returns nil for anything else, including a leap second, which `seconds` cannot represent, and a time with more
    /// digits, whose precision would be lost.
    public init?(rfc3339 text: String) { self.init(rfc3339: Array(text.utf8)[...]) }

    /// Reads a time in RFC 3339 format from UTF-8.
    init?(rfc3339 text: ArraySlice<UInt8>) {
        var scanner = Scanner(rest: text)
        guard let year = scanner.number(4), scanner.skip("-"),
            let month = scanner.number(2), scanner.skip("-"),
            let day = scanner.number(2), scanner.skip("T") || scanner.skip("t"),
            let hour = scanner.number(2), hour < 24, scanner.skip(":"),
            let minute = scanner.number(2), minute < 60, scanner.skip(":"),
            let second = scanner.number(2), second < 60,
            let date = CalendarDate(year: year, month: month, day: day),
            let nanoseconds = scanner.fraction(),
            let offset = scanner.offset(), scanner.rest.isEmpty
        else { return nil }
        let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
        self.init(seconds: Int64(seconds - offset), nanoseconds: UInt32(nanoseconds))
    }

    /// The seconds from 0000-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
    private static let years0To9999: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// A scanner for fixed-width fields.
    private struct Scanner {
        var rest: ArraySlice<UInt8>

        /// Reads exactly `count` digits; returns nil if there are fewer.
        mutating func number(_ count: Int) -> Int? {
            guard rest.count >= count else { return nil }
            var value = 0
            for byte in rest.prefix(count) {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            rest = rest.dropFirst(count)
            return value
        }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest = rest.dropFirst()
            return true
        }

        /// Reads a point and one to nine digits as nanoseconds; returns 0 if there is no point.
        mutating func fraction() -> Int? {
            guard skip(".") else { return 0 }
            let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
            guard (1...9).contains(count), let value = number(count) else { return nil }
            return (count..<9).reduce(value) { value, _ in value * 10 }
        }

        /// Reads an offset, and returns it in seconds east of UTC.
        mutating func offset() -> Int? {
            if skip("Z") || skip("z") { return 0 }
            let isEast = skip("+")
            guard isEast || skip("-"), let hours = number(2), hours < 24, skip(":"), let minutes = number(2),
                minutes < 60
            else { return nil }
            return (hours * 3600 + minutes * 60) * (isEast ? 1 : -1)
        }
    }
}

extension Int {
    /// Returns the decimal digits of a number that is not negative, padded with leading zeros.
    fileprivate func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(width - digits.utf8.count, 0)) + digits
    }
}

/// A day of the proleptic Gregorian calendar (ISO 8601).
private struct CalendarDate {
    let year: Int
    /// 1 to 12.
    let month: Int
    /// 1 to 31.
    let day: Int

    /// Returns nil if there is no such day.
    init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month) else { return nil }
        let next = month == 12 ? 365 : CalendarDate.daysBeforeMonth[month]
        let leapDay = month == 2 && CalendarDate.isLeap(year) ? 1 : 0
        guard day >= 1, day <= next - CalendarDate.daysBeforeMonth[month - 1] + leapDay else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Computes the date within a cycle: the calendar repeats every 400 years.
    init(daysSince1970 days: Int) {
        let (cycle, dayOfCycle) = (days + CalendarDate.daysBefore1970).dividedRoundingDown(by: CalendarDate.daysOfCycle)
        var year = dayOfCycle * 400 / CalendarDate.daysOfCycle
        // The estimate uses the mean length of a year, and can be off by one year.
        if CalendarDate.daysBeforeYear(year) > dayOfCycle { year -= 1 }
        if CalendarDate.daysBeforeYear(year + 1) <= dayOfCycle { year += 1 }
        let dayOfYear = dayOfCycle - CalendarDate.daysBeforeYear(year)
        let leapDay = CalendarDate.isLeap(year) ? 1 : 0
        var month = 12
        while CalendarDate.daysBeforeMonth[month - 1] + (month > 2 ? leapDay : 0) > dayOfYear { month -= 1 }
        self.year = cycle * 400 + year
        self.month = month
        day = dayOfYear - CalendarDate.daysBeforeMonth[month - 1] - (month > 2 ? leapDay : 0) + 1
    }

    var daysSince1970: Int {
        let (cycle, yearOfCycle) = year.dividedRoundingDown(by: 400)
        let leapDay = month > 2 && CalendarDate.isLeap(year) ? 1 : 0
        return cycle * CalendarDate.daysOfCycle + CalendarDate.daysBeforeYear(yearOfCycle)
            + CalendarDate.daysBeforeMonth[month - 1] + leapDay + day - 1 - CalendarDate.daysBefore1970
    }

    private static let daysOfCycle = 146_097
    /// Days from 0000-01-01 to 1970-01-01.
    private static let daysBefore1970 = 719_528
    /// The days before each month, in a year that is not a leap year.
    private static let daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

    /// Returns the days of a cycle before its year `year` (0 to 400); the first year of a cycle is a leap year.
    private static func daysBeforeYear(_ year: Int) -> Int {
        365 * year + (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
}

extension SignedInteger {
    /// Returns the quotient and a remainder that is never negative.
    fileprivate func dividedRoundingDown(by divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
