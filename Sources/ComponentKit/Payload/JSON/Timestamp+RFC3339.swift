extension Timestamp {
    /// The time as RFC 3339 has it, in UTC with nine digits of a second: `2026-01-02T03:04:05.000000006Z`.
    /// Nil for years before 0000 and after 9999, which RFC 3339 cannot say.
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

    /// Reads a time as RFC 3339 has it: with up to nine digits of a second, in UTC (`Z`) or with an offset
    /// (`+02:00`). Nil for anything else; also for a leap second, which has no number of its own since 1970,
    /// and for more digits, which would be lost.
    public init?(rfc3339 text: String) { self.init(rfc3339: Array(text.utf8)[...]) }

    /// The same for UTF-8.
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

    /// From 0000-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
    private static let years0To9999: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// Reads fixed pieces of a text.
    private struct Scanner {
        var rest: ArraySlice<UInt8>

        /// Exactly `count` digits.
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

        /// Nanoseconds from a point and one to nine digits; 0 when there is no point.
        mutating func fraction() -> Int? {
            guard skip(".") else { return 0 }
            let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
            guard (1...9).contains(count), let value = number(count) else { return nil }
            return (count..<9).reduce(value) { value, _ in value * 10 }
        }

        /// Seconds east of UTC.
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
    /// Decimal digits of a number that is not negative, with zeros in front.
    fileprivate func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(width - digits.utf8.count, 0)) + digits
    }
}
