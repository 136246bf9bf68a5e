import CHSLink

/// The keys of the one-entry maps that represent values that JSON lacks.
///
/// A real map whose only key is one of these is written with an additional `$`, which is removed when it is read, so no
/// map can be mistaken for another value.
enum JSONForm: String, CaseIterable {
    case bytes = "$bytes"
    case date = "$date"
    case double = "$double"

    /// Whether a map with only this key is written with an additional `$`.
    ///
    /// - Parameter key: The key as in the payload.
    static func needsEscape(_ key: UnsafeRawBufferPointer) -> Bool {
        let dollars = unsafe key.prefix { $0 == UInt8(ascii: "$") }.count
        guard dollars > 0 else { return false }
        return allCases.contains { unsafe key.dropFirst(dollars - 1).elementsEqual($0.rawValue.utf8) }
    }
}

extension JSONReader {
    /// Ends a map, and replaces it with the value it represents if it is one of the special forms.
    mutating func endMap() throws(PayloadError) {
        let entries = builder.current
        guard entries.count == 1, let entry = entries.first, entry.key.length > 0,
            builder.text[entry.key.offset] == UInt8(ascii: "$")
        else { return try builder.end() }
        switch JSONForm(rawValue: builder.string(entry.key)) {
        case .bytes: try readBytes(entry.node)
        case .double: try readDouble(entry.node)
        case .date: try readDate(entry.node)
        case nil:
            let isEscaped = unsafe builder.text.withUnsafeBytes { text in
                // An escaped key, without its first `$`, is one that needs an escape.
                let key = entry.key.offset + 1..<entry.key.offset + entry.key.length
                return unsafe JSONForm.needsEscape(UnsafeRawBufferPointer(rebasing: text[key]))
            }
            if isEscaped { builder.dropFromOnlyKey(1) }
            try builder.end()
        }
    }

    private mutating func readBytes(_ node: PayloadBuilder.Node) throws(PayloadError) {
        let offset = Int(node.bits)
        guard node.tag == HSLINK_STRING,
            let length = Base64.decode(&builder.text, in: offset..<offset + node.length)
        else { throw wrongContent(node, "base64 with padding") }
        builder.end(replacement: .bytes(.init(offset: offset, length: length)), weight: 2)
    }

    private mutating func readDouble(_ node: PayloadBuilder.Node) throws(PayloadError) {
        let value: Double
        switch node.tag == HSLINK_STRING ? builder.string(node) : "" {
        case "nan": value = .nan
        case "inf": value = .infinity
        case "-inf": value = -.infinity
        default: throw wrongContent(node, "\"nan\", \"inf\" or \"-inf\"")
        }
        builder.end(replacement: .double(value), weight: 2)
    }

    private mutating func readDate(_ node: PayloadBuilder.Node) throws(PayloadError) {
        if node.tag == HSLINK_MAP {
            let parts = builder.entries(of: node)
            guard parts.count == 2, let seconds = parts.first, let nanoseconds = parts.last,
                builder.string(seconds.key) == "seconds", seconds.node.tag == HSLINK_INT,
                builder.string(nanoseconds.key) == "nanoseconds", nanoseconds.node.tag == HSLINK_INT,
                nanoseconds.node.bits < 1_000_000_000
            else { throw wrongContent(node, "\"seconds\" and then \"nanoseconds\" below 1000000000") }
            let time = Timestamp(
                seconds: Int64(bitPattern: seconds.node.bits), nanoseconds: UInt32(nanoseconds.node.bits))
            return builder.end(replacement: .date(time), weight: 4)
        }
        let offset = Int(node.bits)
        guard node.tag == HSLINK_STRING, let time = Timestamp(rfc3339: builder.text[offset..<offset + node.length])
        else { throw wrongContent(node, "a time such as 2026-01-02T03:04:05.000000006Z") }
        builder.end(replacement: .date(time), weight: 2)
    }

    private func wrongContent(_ node: PayloadBuilder.Node, _ expected: String) -> PayloadError {
        PayloadError(
            path: builder.path(ofContainer: false), expected: expected,
            found: "\(PayloadKind(tag: UInt32(node.tag)))")
    }
}
