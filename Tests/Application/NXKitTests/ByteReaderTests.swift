import NXKit
import Testing

@Suite("Byte reader")
struct ByteReaderTests {
    private static let bytes: [UInt8] = [0x81, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x88]

    private func reader(_ order: ByteReader.Order, origin: UInt64 = 0) -> ByteReader {
        ByteReader(Self.bytes, order: order, path: "file", origin: origin)
    }

    @Test("integers are read in the given order")
    func integers() throws {
        var big = reader(.bigEndian)
        var little = reader(.littleEndian)
        #expect(try big.uint8() == 0x81)
        #expect(try little.uint8() == 0x81)
        #expect(try big.uint16() == 0x0203)
        #expect(try little.uint16() == 0x0302)
        #expect(try big.uint24() == 0x040506)
        #expect(try little.uint24() == 0x060504)
        (big, little) = (reader(.bigEndian), reader(.littleEndian))
        #expect(try big.uint32() == 0x8102_0304)
        #expect(try little.uint32() == 0x0403_0281)
        (big, little) = (reader(.bigEndian), reader(.littleEndian))
        #expect(try big.uint64() == 0x8102_0304_0506_0788)
        #expect(try little.uint64() == 0x8807_0605_0403_0281)
        (big, little) = (reader(.bigEndian), reader(.littleEndian))
        #expect(try big.int32() == -2_130_574_588)
        #expect(try little.int32() == 0x0403_0281)
    }

    @Test("a four-character code is the same in both orders", arguments: [ByteReader.Order.bigEndian, .littleEndian])
    func fourCC(order: ByteReader.Order) throws {
        var reader = ByteReader(Array("moov".utf8), order: order, path: "file")
        #expect(try reader.fourCC() == "moov")
        #expect(reader.remaining == 0)
    }

    @Test("reading bytes and skipping move the position")
    func runs() throws {
        var reader = reader(.bigEndian, origin: 1000)
        try reader.skip(2)
        #expect(reader.offset == 1002)
        #expect(try reader.run(of: 3) == [3, 4, 5])
        #expect(reader.remaining == 3)
        #expect(try reader.run(of: 0) == [])
        #expect(reader.offset == 1005)
    }

    @Test("past the end it throws an error with the position, and does not move", arguments: [4, 100, Int.max, -1])
    func behindTheEnd(count: Int) throws {
        var reader = reader(.bigEndian, origin: 1000)
        try reader.skip(5)
        let error = #expect(throws: FileError.self) { try reader.skip(count) }
        #expect(error?.code == .truncated)
        #expect(
            error?.message == "\"file\": expected \(count) bytes at byte 1005, but only 3 are left")
        #expect(throws: FileError.self) { try reader.run(of: count) }
        #expect(throws: FileError.self) { try reader.uint32() }
        #expect(throws: FileError.self) { try reader.fourCC() }
        #expect(reader.remaining == 3)
    }

    @Test("an error has the current position")
    func place() throws {
        var reader = reader(.bigEndian, origin: 12)
        try reader.skip(4)
        #expect(
            reader.error(.malformed, "a 1 was expected, found 2").message
                == "\"file\": a 1 was expected, found 2 (before byte 16)")
    }

    @Test(
        "a four-character code is printable",
        arguments: [
            ("moov" as FourCC, "moov"), ("qt", "qt  "), ("VP8 ", "VP8 "), (FourCC(rawValue: 0xA96E_616D), "\\xA9nam"),
            (FourCC(rawValue: 0), "\\x00\\x00\\x00\\x00"), (FourCC(rawValue: 0x6D73_0A5C), "ms\\x0A\\x5C"),
        ])
    func printable(code: FourCC, text: String) {
        #expect(code.description == text)
    }
}
