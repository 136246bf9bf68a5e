/// A day of the Gregorian calendar, which is taken to have been in use for ever (ISO 8601).
struct CalendarDate {
    let year: Int
    /// 1 to 12.
    let month: Int
    /// 1 to 31.
    let day: Int

    /// Nil when there is no such day.
    init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month) else { return nil }
        let next = month == 12 ? 365 : CalendarDate.daysBeforeMonth[month]
        let leapDay = month == 2 && CalendarDate.isLeap(year) ? 1 : 0
        guard day >= 1, day <= next - CalendarDate.daysBeforeMonth[month - 1] + leapDay else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The calendar repeats itself every 400 years.
    init(daysSince1970 days: Int) {
        let (cycle, dayOfCycle) = (days + CalendarDate.daysBefore1970).dividedRoundingDown(by: CalendarDate.daysOfCycle)
        var year = dayOfCycle * 400 / CalendarDate.daysOfCycle
        // The mean length of a year can be off by one year.
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
    /// In years that are not leap.
    private static let daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

    /// Days of a cycle before its year `year` (0 to 400), whose first one is leap.
    private static func daysBeforeYear(_ year: Int) -> Int {
        365 * year + (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
}

extension SignedInteger {
    /// Quotient and remainder, with a remainder that is never negative.
    func dividedRoundingDown(by divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
