extension Payload: CustomStringConvertible {
    /// The payload for people, in the words of ``json(pretty:)`` and on one line: at most about 1,000 bytes
    /// with an ellipsis after them. Objects are shown as `<object Counter>`, values of a tag that is not
    /// known as `<unknown tag 99>`.
    public var description: String {
        defer { extendLifetime(owner) }
        let limit = 1000
        var writer = JSONWriter(style: .excerpt(limit: limit))
        do {
            try unsafe writer.write(node)
        } catch {
            writer.write("<\(error.expected)>")
        }
        guard writer.output.count > limit else { return String(decoding: writer.output, as: UTF8.self) }
        var end = limit
        // Not within a character.
        while end > 0, writer.output[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: writer.output[..<end], as: UTF8.self) + "…"
    }
}
