/// HTML, or JSON with HTML in it, with places for the token of a session.
///
/// What is rendered once is sent to all readers of a page. Each has a token of its own in the forms.
struct Rendered: Hashable, Sendable {
    /// The byte in the place of the token. Escaped text cannot contain it.
    static let tokenMark: UInt8 = 1

    /// The text as UTF-8.
    let bytes: [UInt8]
    /// The indices of the marks in ``bytes``, in order.
    let marks: [Int]

    /// The parts before, between and after the marks: one more than there are marks.
    var segments: [ArraySlice<UInt8>] {
        var segments: [ArraySlice<UInt8>] = []
        segments.reserveCapacity(marks.count + 1)
        var start = 0
        for mark in marks {
            segments.append(bytes[start..<mark])
            start = mark + 1
        }
        segments.append(bytes[start...])
        return segments
    }

    /// Returns the bytes with a token in the place of each mark.
    ///
    /// - Precondition: The token has only letters, digits, `_` and `-`, which mean nothing else in HTML and JSON.
    func bytes(token: String) -> [UInt8] {
        precondition(
            token.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") },
            "A token has only letters, digits, underscores and dashes")
        guard !marks.isEmpty else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + marks.count * token.utf8.count)
        var start = 0
        for mark in marks {
            result.append(contentsOf: bytes[start..<mark])
            result.append(contentsOf: token.utf8)
            start = mark + 1
        }
        result.append(contentsOf: bytes[start...])
        return result
    }

    /// The text with a token in the place of each mark, for messages and tests.
    func text(token: String = "") -> String { String(decoding: bytes(token: token), as: UTF8.self) }
}
