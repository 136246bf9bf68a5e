/// Decodes percent-encoded bytes one at a time (RFC 3986, section 2.1). A percent sign without two hexadecimal digits
/// behind it stands for itself.
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

    /// Whether a part, decoded, is equal to these bytes.
    @inline(__always)
    func equals(_ range: Range<Int>, _ other: ArraySlice<UInt8>, plusIsSpace: Bool) -> Bool {
        var decoder = PercentDecoder(range, plusIsSpace: plusIsSpace)
        for byte in other {
            guard decoder.next(self) == byte else { return false }
        }
        return decoder.next(self) == nil
    }

    /// Whether a part, decoded, is equal to these bytes without regard to the case of ASCII letters.
    func equalsIgnoringCase(_ range: Range<Int>, _ other: some Collection<UInt8>) -> Bool {
        var decoder = PercentDecoder(range, plusIsSpace: false)
        for byte in other {
            guard let own = decoder.next(self), Bytes.lowercased(own) == Bytes.lowercased(byte) else { return false }
        }
        return decoder.next(self) == nil
    }

    func equalsIgnoringCase(_ range: Range<Int>, _ other: String) -> Bool { equalsIgnoringCase(range, other.utf8) }

    /// Returns the hash of a part, decoded and in lower case.
    func lowercasedHash(_ range: Range<Int>, plusIsSpace: Bool) -> UInt32 {
        var hash = ByteHash()
        var decoder = PercentDecoder(range, plusIsSpace: plusIsSpace)
        while let byte = decoder.next(self) { hash.add(Bytes.lowercased(byte)) }
        return hash.value
    }
}

extension String {
    /// Returns the text with everything but unreserved characters of ASCII percent-encoded, so that it is one component
    /// of a path, or a name or value of a query.
    public var percentEncodedForURL: String { percentEncoded { _ in false } }

    /// Returns the text with what RFC 3986 allows in a component of a path left as it is, such as the colon before the
    /// port of a host.
    var percentEncodedAsComponent: String { percentEncoded { "!$&'()*+,;=:@[]".utf8.contains($0) } }

    private func percentEncoded(except isAllowed: (UInt8) -> Bool) -> String {
        if utf8.allSatisfy({ Bytes.isUnreserved($0) || isAllowed($0) }) { return self }
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(utf8.count + 16)
        for byte in utf8 {
            if Bytes.isUnreserved(byte) || isAllowed(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
