import CHSLink
import SystemSupport

/// Writes a payload in JSON.
struct JSONWriter: PayloadWriter {
    enum Style: Equatable {
        case compact
        /// One item or entry per line, indented by two spaces per level.
        case pretty
        /// For messages: objects and unknown values are named instead of refused, and output beyond `limit` bytes may
        /// be omitted.
        case excerpt(limit: Int)
    }

    let style: Style
    var output: [UInt8] = []
    private var level = 0
    private var escapesKey = false

    init(style: Style) { self.style = style }

    var byteCount: Int { output.count }

    var isFull: Bool {
        guard case .excerpt(let limit) = style else { return false }
        return output.count > limit
    }

    mutating func writeScalar(_ node: hslink_value) throws(PayloadError) {
        switch unsafe node.kind {
        case .null: write("null")
        case .bool: unsafe write(node.boolValue == true ? "true" : "false")
        case .int: unsafe write(String(node.as.i64))
        case .uint: unsafe write(String(node.as.u64))
        case .double: unsafe writeDouble(node.as.f64)
        case .string: unsafe writeText(UnsafeRawBufferPointer(node.textBytes))
        case .bytes:
            writeForm(.bytes) { writer in
                writer.write("\"")
                unsafe Base64.encode(writer.shortened(node.rawBytes), to: &writer.output)
                writer.write("\"")
            }
        case .date where unsafe node.dateValue != nil: unsafe node.dateValue.map { writeDate($0) }
        case .object where style.isExcerpt: unsafe writeObject(node)
        case .unknown(let tag) where style.isExcerpt: write("<unknown tag \(tag)>")
        case .date where style.isExcerpt: write(unsafe "<\(node.summary)>")
        default: throw unsafe PayloadError(expected: "a value that JSON can hold", found: node.summary)
        }
    }

    mutating func beginArray(_ node: hslink_value) {
        write("[")
        level += 1
    }

    mutating func beginItem(isFirst: Bool) { separate(isFirst: isFirst) }

    mutating func endArray(_ node: hslink_value) {
        level -= 1
        if unsafe !node.itemNodes.isEmpty { breakLine() }
        write("]")
    }

    mutating func beginMap(_ node: hslink_value) {
        write("{")
        level += 1
        let entries = unsafe node.entryNodes
        escapesKey = unsafe entries.count == 1 && JSONForm.needsEscape(entries[0].keyBytes)
    }

    mutating func writeKey(_ key: UnsafeRawBufferPointer, isFirst: Bool) {
        separate(isFirst: isFirst)
        unsafe writeText(key, prefix: escapesKey ? "$" : "")
        escapesKey = false
        write(style == .compact ? ":" : ": ")
    }

    mutating func endMap(_ node: hslink_value) {
        level -= 1
        if unsafe !node.entryNodes.isEmpty { breakLine() }
        write("}")
    }

    mutating func write(_ text: String) { output.append(contentsOf: text.utf8) }

    private mutating func separate(isFirst: Bool) {
        if !isFirst { write(style.isExcerpt ? ", " : ",") }
        breakLine()
    }

    private mutating func breakLine() {
        guard style == .pretty else { return }
        write("\n")
        for _ in 0..<level { write("  ") }
    }

    /// Returns the bytes that can still be shown within the limit.
    private func shortened(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard case .excerpt(let limit) = style else { return unsafe bytes }
        return unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(max(limit - output.count, 0) + 4))
    }
}

extension JSONWriter {
    /// Writes a map with one entry that represents another value.
    private mutating func writeForm(_ form: JSONForm, _ content: (inout JSONWriter) -> Void) {
        write("{\"\(form.rawValue)\"")
        write(style == .compact ? ":" : ": ")
        content(&self)
        write("}")
    }

    /// Writes a double, always with a point or an exponent, so that it reads back as a double.
    private mutating func writeDouble(_ value: Double) {
        if value.isFinite {
            write(value.description)
        } else {
            let name = value.isNaN ? "nan" : value > 0 ? "inf" : "-inf"
            writeForm(.double) { $0.write("\"\(name)\"") }
        }
    }

    private mutating func writeDate(_ date: Timestamp) {
        writeForm(.date) { writer in
            if let text = date.rfc3339 {
                writer.write("\"\(text)\"")
            } else {
                let space = writer.style == .compact ? "" : " "
                writer.write(
                    "{\"seconds\":\(space)\(date.seconds),\(space)\"nanoseconds\":\(space)\(date.nanoseconds)}")
            }
        }
    }

    private mutating func writeObject(_ node: hslink_value) {
        guard let object = try? unsafe TreeMeasure.object(of: node) else { return write("<object>") }
        let name = unsafe String(name: object.pointee.type.pointee.name)
        write("<object \(name.quoted().dropFirst().dropLast())>")
    }

    /// Writes text in quotes; runs of characters that need no escape are copied at once.
    private mutating func writeText(_ bytes: UnsafeRawBufferPointer, prefix: String = "") {
        let bytes = unsafe shortened(bytes)
        write("\"\(prefix)")
        var start = 0
        var index = 0
        while index < bytes.count {
            guard let escape = unsafe JSONEscape(in: bytes, at: index) else {
                index += 1
                continue
            }
            unsafe output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
            write(escape.text)
            index += escape.length
            start = index
        }
        unsafe output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start...]))
        write("\"")
    }
}

extension JSONWriter.Style {
    fileprivate var isExcerpt: Bool {
        if case .excerpt = self { true } else { false }
    }
}

/// The escape sequence for a character of a string: for those that JSON requires to be escaped, and for others that
/// could move a terminal's cursor or end a line (DEL, the controls U+0080 to U+009F, U+2028 and U+2029).
private struct JSONEscape {
    let text: String
    /// The number of bytes that it replaces.
    let length: Int

    /// Returns nil if the character at `index` of UTF-8 text needs no escape.
    @inline(__always)
    init?(in bytes: UnsafeRawBufferPointer, at index: Int) {
        let byte = unsafe bytes[index]
        guard byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
            return nil
        }
        guard byte == 0xC2 || byte == 0xE2 || byte < 0x80 else { return nil }
        unsafe self.init(of: bytes[index...].prefix(3))
    }

    private init?(of bytes: Slice<UnsafeRawBufferPointer>) {
        let first = unsafe bytes.first ?? 0
        let second = unsafe bytes.dropFirst().first ?? 0
        let third = unsafe bytes.dropFirst(2).first ?? 0
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): self.init(text: "\\\(Unicode.Scalar(first))", length: 1)
        case 0x08: self.init(text: "\\b", length: 1)
        case 0x09: self.init(text: "\\t", length: 1)
        case 0x0A: self.init(text: "\\n", length: 1)
        case 0x0C: self.init(text: "\\f", length: 1)
        case 0x0D: self.init(text: "\\r", length: 1)
        case 0..<0x20, 0x7F: self.init(scalar: UInt32(first), length: 1)
        case 0xC2 where (0x80...0x9F).contains(second): self.init(scalar: UInt32(second), length: 2)
        case 0xE2 where second == 0x80 && (third == 0xA8 || third == 0xA9):
            self.init(scalar: 0x2000 + UInt32(third - 0x80), length: 3)
        default: return nil
        }
    }

    private init(text: String, length: Int) {
        self.text = text
        self.length = length
    }

    private init(scalar: UInt32, length: Int) {
        let digits = String(scalar, radix: 16)
        self.init(text: "\\u" + String(repeating: "0", count: 4 - digits.count) + digits, length: length)
    }
}
