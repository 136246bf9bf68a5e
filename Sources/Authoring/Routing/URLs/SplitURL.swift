/// A URL, split into parts before anything in it is decoded.
///
/// The parts are places in the bytes of its text. Splitting never fails: an invalid URL (RFC 3986), such as text with
/// spaces, has parts too.
struct SplitURL {
    /// A component of the path, or the host.
    struct Component {
        private let start: Int32
        private let end: Int32
        /// Of the decoded bytes.
        let hash: UInt32
        /// Whether there is nothing to decode.
        let isPlain: Bool

        @inline(__always)
        init(_ range: Range<Int> = 0..<0, hash: UInt32 = 0, isPlain: Bool = true) {
            start = Int32(range.lowerBound)
            end = Int32(range.upperBound)
            self.hash = hash
            self.isPlain = isPlain
        }

        @inline(__always)
        var range: Range<Int> { Int(start)..<Int(end) }
    }

    /// In the text as it is written.
    private(set) var scheme: Range<Int>?
    /// The host with its port, without the user; empty if there is none.
    private(set) var host: Range<Int> = 0..<0
    private(set) var path: Range<Int> = 0..<0
    private(set) var query: Range<Int> = 0..<0
    /// What follows `#`; nil if there is none.
    private(set) var fragment: Range<Int>?

    init(_ bytes: Span<UInt8>) {
        let count = bytes.count
        var start = 0
        var hasAuthority = false
        if let found = URLScheme.find(count: count, { bytes[$0] }) {
            scheme = found.end > 0 ? 0..<found.end : nil
            hasAuthority = found.hasAuthority
            start = found.pathStart
        } else if count > 1, bytes[0] == UInt8(ascii: "/"), bytes[1] == UInt8(ascii: "/") {
            hasAuthority = true
            start = 2
        }
        if hasAuthority {
            var hostStart = start
            var index = start
            while index < count, !Self.endsHost(bytes[index]) {
                if bytes[index] == UInt8(ascii: "@") { hostStart = index + 1 }
                index += 1
            }
            host = hostStart..<index
            start = index
        }
        var end = start
        while end < count, bytes[end] != UInt8(ascii: "?"), bytes[end] != UInt8(ascii: "#") { end += 1 }
        path = start..<end
        splitRest(bytes, from: end)
    }

    /// Splits only the query and the fragment of a URL whose path ends at `end`.
    init(_ bytes: Span<UInt8>, afterPath end: Int) { splitRest(bytes, from: end) }

    @inline(__always)
    private mutating func splitRest(_ bytes: Span<UInt8>, from end: Int) {
        let count = bytes.count
        var next = end
        if next < count, bytes[next] == UInt8(ascii: "?") {
            while next < count, bytes[next] != UInt8(ascii: "#") { next += 1 }
            query = (end + 1)..<next
        } else {
            query = end..<end
        }
        if next < count { fragment = (next + 1)..<count }
    }

    private static func endsHost(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// The fragment up to a question mark in it.
    func fragmentPath(_ bytes: Span<UInt8>) -> Range<Int>? {
        guard let fragment else { return nil }
        var end = fragment.lowerBound
        while end < fragment.upperBound, bytes[end] != UInt8(ascii: "?") { end += 1 }
        return fragment.lowerBound..<end
    }

    /// What follows a question mark in the fragment; empty if there is none.
    func fragmentQuery(_ bytes: Span<UInt8>) -> Range<Int> {
        guard let fragment, let path = fragmentPath(bytes), path.upperBound < fragment.upperBound else { return 0..<0 }
        return (path.upperBound + 1)..<fragment.upperBound
    }

    /// Whether the host is the name of a machine rather than a word of a URL: it has a dot or a colon, as addresses and
    /// domains have, or is `localhost`.
    func hostIsDomain(_ bytes: Span<UInt8>) -> Bool {
        for index in host where bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: ":") { return true }
        return bytes.equalsIgnoringCase(host, "localhost")
    }
}

/// The host of a URL and the components of its path. The first few are kept without memory of their own.
struct URLComponents {
    /// More than a pattern has, so the components behind these do not matter.
    static let limit = PatternExpansion.limits.components + 2

    private var first = InlineArray<16, SplitURL.Component>(repeating: SplitURL.Component())
    private var more: [SplitURL.Component] = []
    /// At most ``limit``.
    private(set) var count = 0
    /// Where the last component ends, also if it is not among these.
    private(set) var end = 0

    @inline(__always)
    subscript(index: Int) -> SplitURL.Component {
        index < 16 ? first[index] : more[index - 16]
    }

    private mutating func append(_ component: SplitURL.Component) {
        if count < 16 { first[count] = component } else { more.append(component) }
        count += 1
    }

    /// Appends the components of a path; empty ones are left out.
    mutating func append(_ path: Range<Int>, of bytes: Span<UInt8>) {
        var start = path.lowerBound
        while start < path.upperBound, count < Self.limit {
            if bytes[start] == UInt8(ascii: "/") {
                start += 1
                continue
            }
            var end = start
            var hash = ByteHash()
            var isPlain = true
            while end < path.upperBound {
                let byte = bytes[end]
                if byte == UInt8(ascii: "/") { break }
                isPlain = isPlain && byte != UInt8(ascii: "%")
                hash.add(byte)
                end += 1
            }
            if !isPlain {
                hash = ByteHash()
                var decoder = PercentDecoder(start..<end, plusIsSpace: false)
                while let byte = decoder.next(bytes) { hash.add(byte) }
            }
            append(SplitURL.Component(start..<end, hash: hash.value, isPlain: isPlain))
            start = end
        }
        end = path.upperBound
        while end > path.lowerBound, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
    }

    /// Appends the host, with the hash of its lower case, also if it is empty.
    mutating func append(host: Range<Int>, of bytes: Span<UInt8>) {
        append(SplitURL.Component(host, hash: bytes.lowercasedHash(host), isPlain: false))
    }
}

/// FNV-1a with 32 bits. It needs no key: tables compare the bytes as well, and hold what the program declares.
struct ByteHash {
    private(set) var value: UInt32 = 2_166_136_261

    @inline(__always)
    mutating func add(_ byte: UInt8) { value = (value ^ UInt32(byte)) &* 16_777_619 }

    static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var hash = ByteHash()
        for byte in bytes { hash.add(byte) }
        return hash.value
    }
}
