import CHSLink

/// Reads one CBOR item, without recursion, into one allocation.
struct CBORReader {
    private let source: SourceBytes
    private var position = 0
    /// Where the item begins that is being read, for errors.
    private var itemStart = 0
    private var builder: PayloadBuilder

    init(_ source: SourceBytes, limits: PayloadLimits) {
        self.source = source
        builder = PayloadBuilder(limits: limits, textCapacity: source.count)
    }

    /// The payload that the bytes are.
    mutating func read() throws(PayloadError) -> Payload {
        do throws(PayloadError) {
            try readItems()
            itemStart = position
            guard position == source.count else {
                throw PayloadError(expected: "the end", found: "\(source.count - position) more bytes")
            }
        } catch {
            var error = error
            error.found += " at byte \(itemStart)"
            throw error
        }
        return try builder.payload()
    }

    private mutating func readItems() throws(PayloadError) {
        items: while true {
            try readItem()
            while !builder.frames.isEmpty {
                guard builder.takeRemaining() else {
                    itemStart = builder.frames.last?.place ?? 0
                    try builder.end()
                    continue
                }
                if builder.frames.last?.isMap == true { try readKey() }
                continue items
            }
            return
        }
    }

    private mutating func readItem() throws(PayloadError) {
        let head = try readHead()
        switch head.major {
        case .unsigned: try builder.add(.uint(head.argument))
        case .negative:
            guard let number = Int64(exactly: head.argument) else {
                throw mismatch("an integer of at least \(Int64.min)", "-1-\(head.argument)")
            }
            try builder.add(.int(~number))
        case .bytes: try unsafe builder.add(.bytes(builder.append(try readString(head))))
        case .text: try builder.add(.string(try readText(head)))
        case .array: try begin(head, isMap: false, itemsEach: 1)
        case .map: try begin(head, isMap: true, itemsEach: 2)
        case .tag: try readTime(head)
        case .simple: try readSimple(head)
        }
    }

    private mutating func readKey() throws(PayloadError) {
        let head = try readHead()
        guard head.major == .text else { throw mismatch("a text key", head.summary) }
        builder.setKey(try readText(head))
    }

    /// Every item takes a byte at least, so a length that lies is seen before anything is made of it.
    private mutating func begin(_ head: CBORHead, isMap: Bool, itemsEach: UInt64) throws(PayloadError) {
        guard head.argument <= UInt64(source.count - position) / itemsEach else { throw truncated(head) }
        try builder.begin(isMap: isMap, place: itemStart, remaining: Int(head.argument))
    }

    private mutating func readText(_ head: CBORHead) throws(PayloadError) -> PayloadBuilder.TextRange {
        let bytes = try unsafe readString(head)
        guard unsafe bytes.bindMemory(to: UInt8.self).isValidUTF8 else {
            throw mismatch("text in UTF-8", "other bytes")
        }
        return unsafe builder.append(bytes)
    }

    private mutating func readString(_ head: CBORHead) throws(PayloadError) -> UnsafeRawBufferPointer {
        guard head.argument <= UInt64(source.count - position) else { throw truncated(head) }
        let start = position
        position += Int(head.argument)
        return unsafe source[start..<position]
    }

    private mutating func readSimple(_ head: CBORHead) throws(PayloadError) {
        switch head.info {
        case 20: try builder.add(.bool(false))
        case 21: try builder.add(.bool(true))
        case 22: try builder.add(.null)
        case 25: try builder.add(.double(Double(Float16(bitPattern: UInt16(head.argument)))))
        case 26: try builder.add(.double(Double(Float(bitPattern: UInt32(head.argument)))))
        case 27: try builder.add(.double(Double(bitPattern: head.argument)))
        default: throw mismatch("false, true or null", head.summary)
        }
    }

    /// A time is a map of parts: the seconds, then the nanoseconds or nothing.
    private mutating func readTime(_ tag: CBORHead) throws(PayloadError) {
        guard tag.argument == CBORHead.extendedTime else { throw mismatch(CBORReader.time, tag.summary) }
        let start = itemStart
        let map = try readHead()
        guard map.major == .map, map.argument == 1 || map.argument == 2 else {
            throw mismatch(CBORReader.time, "\(map.summary) of length \(map.argument)")
        }
        let seconds = try readPart(CBORHead.secondsKey)
        guard let number = Int64(exactly: seconds.argument) else {
            throw mismatch("seconds of 64 bits", seconds.summary)
        }
        var nanoseconds: UInt64 = 0
        if map.argument == 2 {
            let part = try readPart(CBORHead.nanosecondsKey)
            nanoseconds = part.argument
            guard part.major == .unsigned, nanoseconds < 1_000_000_000 else {
                throw mismatch("nanoseconds below 1000000000", "\(part.summary) (\(nanoseconds))")
            }
        }
        itemStart = start
        let time = Timestamp(
            seconds: seconds.major == .negative ? ~number : number, nanoseconds: UInt32(nanoseconds))
        try builder.add(.date(time))
    }

    /// One part of a time: its key, and an integer.
    private mutating func readPart(_ key: UInt8) throws(PayloadError) -> CBORHead {
        guard position < source.count, source[position] == key else {
            itemStart = position
            throw mismatch(CBORReader.time, position < source.count ? "another key" : "the end of the bytes")
        }
        position += 1
        let part = try readHead()
        guard part.major == .unsigned || part.major == .negative else { throw mismatch(CBORReader.time, part.summary) }
        return part
    }

    private static let time = "tag \(CBORHead.extendedTime) with a map of seconds (1) and nanoseconds (-9)"
}

extension CBORReader {
    /// The head at the position, which moves behind it.
    private mutating func readHead() throws(PayloadError) -> CBORHead {
        itemStart = position
        guard position < source.count, let major = CBORHead.Major(rawValue: source[position] >> 5) else {
            throw mismatch("an item", "the end of the bytes")
        }
        let info = source[position] & 31
        position += 1
        guard info >= 24 else { return CBORHead(major: major, info: info, argument: UInt64(info)) }
        guard info != 31 else { throw mismatch("a definite length", "an indefinite one") }
        guard info <= 27 else { throw mismatch("an item", "the reserved first byte \(source[itemStart])") }
        let size = 1 << Int(info - 24)
        guard source.count - position >= size else { throw mismatch("\(size) more bytes", "the end of the bytes") }
        let argument = source.number(at: position, size: size)
        position += size
        // Floating-point numbers are taken in every width: many writers know one only.
        let isFloat = major == .simple && info > 24
        guard isFloat || argument >= smallest(size) else {
            throw mismatch("the shortest form of \(argument)", "a longer one")
        }
        return CBORHead(major: major, info: info, argument: argument)
    }

    /// The smallest number that needs an argument of `size` bytes.
    private func smallest(_ size: Int) -> UInt64 { size == 1 ? 24 : 1 << (UInt64(size) * 4) }

    private func truncated(_ head: CBORHead) -> PayloadError {
        mismatch("\(head.summary) of length \(head.argument)", "the end of the bytes")
    }

    private func mismatch(_ expected: String, _ found: String) -> PayloadError {
        PayloadError(path: builder.path(), expected: expected, found: found)
    }
}
