/// Writes operations as JSON. A `<` is escaped, so the text can be part of any document.
struct PageOperationWriter {
    private var bytes: [UInt8] = []
    private var marks: [Int] = []
    private var isFirst = true

    /// What has been written.
    var rendered: Rendered { Rendered(bytes: bytes, marks: marks) }

    mutating func begin(revision: Int) {
        raw(#"{"revision":"#)
        raw("\(revision)")
        raw(#","ops":["#)
    }

    mutating func end() { raw("]}") }

    mutating func operation(_ name: StaticString) {
        raw(isFirst ? "[\"" : ",[\"")
        raw("\(name)")
        raw("\"")
        isFirst = false
    }

    mutating func endOperation() { raw("]") }

    mutating func add(_ number: Int) { raw(",\(number)") }

    mutating func add(_ path: [Int]) { raw(",[\(path.map { "\($0)" }.joined(separator: ","))]") }

    mutating func add(_ text: String) {
        raw(",\"")
        for byte in text.utf8 { escape(byte) }
        raw("\"")
    }

    /// Adds HTML. The marks in it are marks in the JSON, too.
    mutating func add(_ html: HTMLWriter) {
        raw(",\"")
        bytes.reserveCapacity(bytes.count + html.bytes.count * 5 / 4)
        var next = 0
        for (index, byte) in html.bytes.enumerated() {
            if next < html.marks.count, html.marks[next] == index {
                marks.append(bytes.count)
                bytes.append(byte)
                next += 1
            } else {
                escape(byte)
            }
        }
        raw("\"")
    }

    private mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): raw(#"\""#)
        case UInt8(ascii: "\\"): raw(#"\\"#)
        case UInt8(ascii: "\n"): raw(#"\n"#)
        case UInt8(ascii: "<"): raw(#"\u003c"#)
        case 0..<0x20:
            let digits = String(byte, radix: 16)
            raw(#"\u00"# + (byte < 16 ? "0" : "") + digits)
        default: bytes.append(byte)
        }
    }
}
