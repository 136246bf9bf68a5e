import HTTPTypes

/// What a client accepts as an answer: the header Accept (RFC 9110, section 12.5.1).
struct MediaRanges: Hashable, Sendable {
    private let value: String

    init(_ headers: HTTPFields) { value = headers[.accept] ?? "" }

    /// Whether JSON is preferred to HTML.
    var preferJSON: Bool { quality(of: "application", "json") > quality(of: "text", "html") }

    /// Returns the weight of a type, in thousandths: that of the closest range. 0 if it is not accepted.
    private func quality(of type: String, _ subtype: String) -> Int {
        var found: (closeness: Int, quality: Int) = (0, 0)
        for range in value.utf8.split(separator: UInt8(ascii: ",")) {
            let parts = range.split(separator: UInt8(ascii: ";")).map(HTTPFields.trimmed)
            let closeness =
                switch parts.first {
                case "\(type)/\(subtype)": 3
                case "\(type)/*": 2
                case "*/*": 1
                default: 0
                }
            guard closeness > found.closeness else { continue }
            let weight = parts.dropFirst().first { $0.utf8.starts(with: "q=".utf8) }.map { $0.dropFirst(2) }
            let share = weight.map { Double($0).flatMap { (0...1).contains($0) ? $0 : nil } ?? 0 } ?? 1
            found = (closeness, Int(share * 1000))
        }
        return found.quality
    }
}

extension HTTPFields {
    /// Whether the body has a media type, whatever its parameters are (RFC 9110, section 8.3.1).
    func hasMediaType(_ type: String) -> Bool {
        guard let value = self[.contentType] else { return false }
        return HTTPFields.trimmed(value.utf8.prefix { $0 != UInt8(ascii: ";") }) == type
    }

    /// Whether a request has a body, or says so.
    var announceBody: Bool {
        self[.transferEncoding] != nil || self[.contentLength].map { $0 != "0" } == true
    }

    /// A part of a header without the white space around it, in lower case.
    fileprivate static func trimmed(_ bytes: Substring.UTF8View) -> String {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var rest = bytes.drop(while: isSpace)
        while rest.last.map(isSpace) == true { rest = rest.dropLast() }
        return String(decoding: rest, as: UTF8.self).lowercased()
    }
}
