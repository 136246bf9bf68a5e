// Decodes and encodes the parts of URLs (RFC 3986, section 2.1).

/// Decodes percent-encoded bytes one at a time. A percent sign without two hexadecimal digits behind it stands for
/// itself.
struct PercentDecoder {
    private var index: Int
    private let end: Int
    private let plusIsSpace: Bool

    @inline(__always)
    init(_ range: Range<Int>, plusIsSpace: Bool) {
        index = range.lowerBound
        end = range.upperBound
        self.plusIsSpace = plusIsSpace
    }

    @inline(__always)
    mutating func next(_ bytes: Span<UInt8>) -> UInt8? {
        guard index < end else { return nil }
        let byte = bytes[index]
        if byte == UInt8(ascii: "%"), index + 2 < end, let high = Bytes.hexadecimal(bytes[index + 1]),
            let low = Bytes.hexadecimal(bytes[index + 2])
        {
            index += 3
            return high << 4 | low
        }
        index += 1
        return plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte
    }
}

extension Span<UInt8> {
    /// Returns a part as text. Bytes that are no UTF-8 are replaced by U+FFFD.
    func text(_ range: Range<Int>, decodes: Bool = true, plusIsSpace: Bool = false) -> String {
        var isPlain = true
        if decodes {
            for index in range {
                let byte = self[index]
                if byte == UInt8(ascii: "%") || plusIsSpace && byte == UInt8(ascii: "+") {
                    isPlain = false
                    break
                }
            }
        }
        // What is decoded is never longer than what is written, and bytes that are no UTF-8 are repaired.
        return unsafe String(unsafeUninitializedCapacity: range.count) { output in
            var count = 0
            if isPlain {
                for index in range {
                    unsafe output[count] = self[index]
                    count += 1
                }
            } else {
                var decoder = PercentDecoder(range, plusIsSpace: plusIsSpace)
                while let byte = decoder.next(self) {
                    unsafe output[count] = byte
                    count += 1
                }
            }
            return count
        }
    }

    /// Whether a part, decoded, is equal to a part of other bytes.
    ///
    /// - Parameter isPlain: whether there is nothing to decode.
    @inline(__always)
    func equals(_ range: Range<Int>, isPlain: Bool, other: Span<UInt8>, at otherRange: Range<Int>) -> Bool {
        guard isPlain else {
            var decoder = PercentDecoder(range, plusIsSpace: false)
            for index in otherRange {
                guard decoder.next(self) == other[index] else { return false }
            }
            return decoder.next(self) == nil
        }
        guard range.count == otherRange.count else { return false }
        let distance = range.lowerBound - otherRange.lowerBound
        for index in otherRange where other[index] != self[index + distance] { return false }
        return true
    }

    /// Whether a part, decoded, is equal to these bytes without regard to the case of ASCII letters.
    func equalsIgnoringCase(_ range: Range<Int>, _ other: Span<UInt8>, at otherRange: Range<Int>) -> Bool {
        var decoder = PercentDecoder(range, plusIsSpace: false)
        for index in otherRange {
            guard let own = decoder.next(self), Bytes.lowercased(own) == Bytes.lowercased(other[index]) else {
                return false
            }
        }
        return decoder.next(self) == nil
    }

    func equalsIgnoringCase(_ range: Range<Int>, _ other: String) -> Bool {
        let span = other.utf8Span.span
        return equalsIgnoringCase(range, span, at: 0..<span.count)
    }

    /// Returns the hash of a part, decoded and in lower case.
    func lowercasedHash(_ range: Range<Int>) -> UInt32 {
        var hash = ByteHash()
        var decoder = PercentDecoder(range, plusIsSpace: false)
        while let byte = decoder.next(self) { hash.add(Bytes.lowercased(byte)) }
        return hash.value
    }
}

extension String {
    /// Returns the text with everything but unreserved characters of ASCII percent-encoded, so that it is one component
    /// of a path, or a name or value of a query.
    public var percentEncodedForURL: String { utf8.percentEncoded() }

    /// The text without percent-encoding. Bytes that are no UTF-8 are replaced by U+FFFD.
    package var percentDecoded: String {
        let bytes = utf8Span.span
        return bytes.text(0..<bytes.count)
    }
}

/// A part of a URL that may contain more than unreserved characters.
enum URLPart: String {
    /// As RFC 3986 allows it in a component of a path.
    case component = "!$&'()*+,;=:@[]"
    /// As in a component, but without `@`, which ends the name of a user.
    case host = "!$&'()*+,;=:[]"
}

extension Collection<UInt8> {
    /// Returns the bytes as text, with everything percent-encoded that is not unreserved, and that the part of the URL
    /// cannot contain. They need not be UTF-8.
    func percentEncoded(as part: URLPart? = nil) -> String {
        percentEncoded { Bytes.isUnreserved($0) || part?.rawValue.utf8.contains($0) ?? false }
    }

    /// Returns the bytes as text, with all others than these percent-encoded.
    package func percentEncoded(keeping isKept: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(count + 16)
        for byte in self {
            if isKept(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
