import ComponentHost
import ComponentKit
import SystemSupport

extension Payload {
    /// The payload as people read it: dates are text in RFC 3339, without zeros at the end of the fraction. Those that
    /// RFC 3339 cannot represent remain dates.
    var withReadableDates: Payload {
        switch kind {
        case .date: (try? date()).flatMap(\.readable).map { .string($0) } ?? self
        case .array: .array(((try? items()) ?? []).map(\.withReadableDates))
        case .map: .map(((try? entries()) ?? []).map { ($0.key, $0.value.withReadableDates) })
        default: self
        }
    }

    /// Returns the payload with dates for texts where the type has dates: in the type itself, and in arrays and maps of
    /// it. The fields of models are left as they are.
    ///
    /// - Parameters:
    ///   - type: the type of the parameter, as the manifest declares it.
    ///   - key: the parameter, for messages.
    /// - Throws: a ``UsageError`` if a text is no time in RFC 3339.
    func readingDates(as type: TypeExpression, of key: String) throws(UsageError) -> Payload {
        switch type {
        case .optional(let wrapped): return try readingDates(as: wrapped, of: key)
        case .array(let element) where kind == .array:
            var dates: [Payload] = []
            for item in (try? items()) ?? [] { dates.append(try item.readingDates(as: element, of: key)) }
            return .array(dates)
        case .dictionary(_, let element) where kind == .map:
            var dates: [(String, Payload)] = []
            for entry in (try? entries()) ?? [] {
                dates.append((entry.key, try entry.value.readingDates(as: element, of: key)))
            }
            return .map(dates)
        case .named where kind == .string && type.holdsDates:
            guard let date = (try? string()).flatMap({ Timestamp(rfc3339: $0) }) else {
                throw UsageError(
                    "\(key.escaped): expected a time as in 2026-01-31T12:30:00Z or 2026-01-31T12:30:00+01:00")
            }
            return .date(date)
        default: return self
        }
    }
}

extension TypeExpression {
    /// Whether values of the type are dates, or arrays or maps of dates.
    var holdsDates: Bool {
        switch self {
        // "date" as authors in other languages write it.
        case .named("Date", _), .named("Timestamp", _), .named("date", _): true
        case .optional(let wrapped): wrapped.holdsDates
        case .array(let element): element.holdsDates
        case .dictionary(_, let element): element.holdsDates
        default: false
        }
    }
}

extension Timestamp {
    /// RFC 3339 in UTC; nil for years that it cannot represent.
    fileprivate var readable: String? {
        guard let text = rfc3339 else { return nil }
        // Without a fraction, zeros at the end are those of the seconds.
        guard nanoseconds > 0 else { return "\(text.prefix(19))Z" }
        var digits = text.dropLast()
        while digits.last == "0" { digits.removeLast() }
        return "\(digits)Z"
    }
}
