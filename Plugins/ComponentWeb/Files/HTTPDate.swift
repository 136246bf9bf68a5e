/// Times as HTTP writes them, in whole seconds since 1970 (RFC 9110, section 5.6.7).
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let secondsOfDay = 86_400

    /// Returns a time in the form in which it is sent, as in "Sun, 06 Nov 1994 08:49:37 GMT". The years are 1 to 9999.
    static func text(_ seconds: Int) -> String {
        let second = ((seconds % secondsOfDay) + secondsOfDay) % secondsOfDay
        let day = (seconds - second) / secondsOfDay
        let date = civil(day)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let year = String(repeating: "0", count: max(0, 4 - "\(date.year)".utf8.count)) + "\(date.year)"
        let time = "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
        return "\(days[((day % 7) + 7) % 7]), \(two(date.day)) \(months[date.month - 1]) \(year) \(time) GMT"
    }

    /// Reads a time in one of the three forms that are to be accepted; nil if it is none.
    static func seconds(_ text: String) -> Int? {
        guard text.utf8.count < 40 else { return nil }
        var words = text.utf8.split { " ,-".utf8.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
        // "Sun Nov  6 08:49:37 1994" has no zone, and the year at its end.
        if words.count == 5 { words = [words[0], words[2], words[1], words[4], words[3], "GMT"] }
        guard words.count == 6, words[5] == "GMT", let day = number(words[1], 1...31),
            let month = months.firstIndex(where: { $0.utf8.elementsEqual(words[2].utf8) }),
            var year = number(words[3], 0...9999)
        else { return nil }
        // Two digits are those of a year near today's.
        if words[3].utf8.count == 2 { year += year < 70 ? 2000 : 1900 }
        let time = words[4].utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard time.count == 3, let hour = number(time[0], 0...23), let minute = number(time[1], 0...59),
            let second = number(time[2], 0...60)
        else { return nil }
        return daysSince1970(year, month: month + 1, day: day) * secondsOfDay + hour * 3600 + minute * 60 + second
    }

    private static func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ 48...57 ~= $0 }), let number = Int(text),
            range.contains(number)
        else { return nil }
        return number
    }

    // The calendar in eras of 400 years that begin in March, so that the leap day is the last one of a year.

    private static func daysSince1970(_ year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let civilMonth = month < 10 ? month + 3 : month - 9
        return (
            yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0), civilMonth, dayOfYear - (153 * month + 2) / 5 + 1
        )
    }
}
