import ComponentKit
import HostContract

/// The last lines of a host's log.
final class RecentLog: Sendable {
    /// The longest text of a line that is kept, in Unicode scalars.
    static let longestMessage = 2000

    private let lines = Lock(NumberedRing<LogLine>())

    /// Adds a line; the end of a long text is left out.
    ///
    /// - Parameters:
    ///   - level: the name of the level.
    ///   - component: the component that writes it; "host" for the host itself.
    func add(_ level: String, _ message: String, component: String) {
        let message = message.shortened(to: RecentLog.longestMessage)
        lines.withLock { lines in
            // Under the lock, so that the times are in the order of the numbers.
            let time = Timestamp.now
            lines.append { number in
                LogLine(number: number, time: time, level: level, component: component, message: message)
            }
        }
    }

    /// Returns the lines after the one with this number, oldest first; all that are kept if it is nil.
    func lines(after number: Int?) -> [LogLine] { lines.withLock { $0.elements(after: number) } }
}

extension String {
    /// Returns the text with an ellipsis in place of the end if it has more Unicode scalars than `limit`. Characters
    /// are not counted: a single one may have any number of marks.
    fileprivate func shortened(to limit: Int) -> String {
        guard utf8.count > limit, let end = unicodeScalars.index(startIndex, offsetBy: limit, limitedBy: endIndex),
            end != endIndex
        else { return self }
        return String(self[..<unicodeScalars.index(before: end)]) + "…"
    }
}
