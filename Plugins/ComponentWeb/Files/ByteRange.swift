/// The part of a file that a browser asks for (RFC 9110, section 14).
enum ByteRange: Hashable, Sendable {
    /// The whole file.
    case whole
    /// Some bytes of it.
    case part(ClosedRange<Int>)
    /// None: the range begins after the end.
    case unsatisfiable

    /// - Parameters:
    ///   - header: the value of the header `Range`. What is malformed, and more than one range, count as none, as the
    ///     standard allows.
    ///   - size: the size of the file.
    init(_ header: String?, size: Int) {
        guard let header, header.utf8.count < 100, header.hasPrefix("bytes="), !header.contains(",") else {
            self = .whole
            return
        }
        let ends = header.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2 else {
            self = .whole
            return
        }
        switch (ByteRange.number(ends[0]), ByteRange.number(ends[1])) {
        case (nil, let count?) where ends[0].isEmpty:
            self = count > 0 && size > 0 ? .part(max(0, size - count)...(size - 1)) : .unsatisfiable
        case (let first?, nil) where ends[1].isEmpty:
            self = first < size ? .part(first...(size - 1)) : .unsatisfiable
        case (let first?, let last?) where first <= last:
            self = first < size ? .part(first...min(last, size - 1)) : .unsatisfiable
        default: self = .whole
        }
    }

    private static func number(_ text: Substring) -> Int? {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        return Int(text)
    }
}
