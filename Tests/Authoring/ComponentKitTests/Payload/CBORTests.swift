import ComponentKit
import Testing

@Suite("CBOR")
struct CBORTests {
    @Test(
        "a payload is written as in RFC 8949, appendix A, and read back",
        arguments: [
            (0, "00"), (1, "01"), (10, "0a"), (23, "17"), (24, "1818"), (25, "1819"), (100, "1864"), (1000, "1903e8"),
            (1_000_000, "1a000f4240"), (1_000_000_000_000, "1b000000e8d4a51000"), (.uint(.max), "1bffffffffffffffff"),
            (-1, "20"), (-10, "29"), (-100, "3863"), (-1000, "3903e7"), (0.0, "f90000"), (-0.0, "f98000"),
            (1.0, "f93c00"), (1.1, "fb3ff199999999999a"), (1.5, "f93e00"), (65504.0, "f97bff"),
            (100000.0, "fa47c35000"), (3.4028234663852886e+38, "fa7f7fffff"), (1.0e+300, "fb7e37e43c8800759c"),
            (5.960464477539063e-8, "f90001"), (0.00006103515625, "f90400"), (-4.0, "f9c400"),
            (-4.1, "fbc010666666666666"), (.double(.infinity), "f97c00"), (.double(.nan), "f97e00"),
            (.double(-.infinity), "f9fc00"), (false, "f4"), (true, "f5"), (nil, "f6"), (.bytes([]), "40"),
            (.bytes([1, 2, 3, 4]), "4401020304"), ("", "60"), ("a", "6161"), ("IETF", "6449455446"),
            ("\"\\", "62225c"), ("\u{FC}", "62c3bc"), ("\u{6C34}", "63e6b0b4"), ("\u{10151}", "64f0908591"),
            ([], "80"), ([1, 2, 3], "83010203"), ([1, [2, 3], [4, 5]], "8301820203820405"),
            (.array((1...25).map { Payload($0) }), "98190102030405060708090a0b0c0d0e0f101112131415161718181819"),
            ([:], "a0"), (["a": 1, "b": [2, 3]], "a26161016162820203"), (["a", ["b": "c"]], "826161a161626163"),
            (["a": "A", "b": "B", "c": "C", "d": "D", "e": "E"], "a56161614161626142616361436164614461656145"),
        ] as [(Payload, String)])
    func vectors(payload: Payload, hex: String) throws {
        #expect(try payload.cbor().hex == hex)
        #expect(try Payload(cbor: [UInt8](hex: hex)) == payload)
        #expect(try Payload(cbor: [UInt8](hex: hex)).cbor().hex == hex)
    }

    @Test(
        "every integer has its shortest form on both sides of each boundary",
        arguments: [
            (255, "18ff"), (256, "190100"), (65535, "19ffff"), (65536, "1a00010000"), (4_294_967_295, "1affffffff"),
            (4_294_967_296, "1b0000000100000000"), (.int(.max), "1b7fffffffffffffff"),
            (.uint(1 << 63), "1b8000000000000000"), (-24, "37"), (-25, "3818"), (-256, "38ff"), (-257, "390100"),
            (-4_294_967_297, "3b0000000100000000"), (.int(.min), "3b7fffffffffffffff"),
        ] as [(Payload, String)])
    func integers(payload: Payload, hex: String) throws {
        #expect(try payload.cbor().hex == hex)
        #expect(try Payload(cbor: [UInt8](hex: hex)) == payload)
    }

    @Test(
        "floating-point numbers are read in every width",
        arguments: [
            ("fa7f800000", Double.infinity), ("fb7ff0000000000000", .infinity), ("fbfff0000000000000", -.infinity),
            ("fb3ff0000000000000", 1), ("fa3f800000", 1), ("f90001", 5.960464477539063e-8),
            ("fb8000000000000000", -0.0), ("fb0000000000000001", .leastNonzeroMagnitude),
        ])
    func widths(hex: String, value: Double) throws {
        #expect(try Payload(cbor: [UInt8](hex: hex)).double().bitPattern == value.bitPattern)
    }

    @Test(
        "every NaN is read as a NaN", arguments: ["f97e00", "f97c01", "fa7fc00000", "faffc12345", "fb7ff8000000000000"])
    func notNumbers(hex: String) throws {
        #expect(try Payload(cbor: [UInt8](hex: hex)).cbor().hex == "f97e00")
    }

    @Test(
        "a date is an extended time of seconds and nanoseconds",
        arguments: [
            (0, 0, "d903e9a10100"), (1_363_896_240, 0, "d903e9a1011a514b67b0"),
            (-1, 999_999_999, "d903e9a20120281a3b9ac9ff"), (.min, 1, "d903e9a2013b7fffffffffffffff2801"),
            (.max, 500_000_000, "d903e9a2011b7fffffffffffffff281a1dcd6500"),
        ] as [(Int64, UInt32, String)])
    func dates(seconds: Int64, nanoseconds: UInt32, hex: String) throws {
        let date = Payload(Timestamp(seconds: seconds, nanoseconds: nanoseconds))
        #expect(try date.cbor().hex == hex)
        #expect(try Payload(cbor: [UInt8](hex: hex)) == date)
        #expect(try Payload(cbor: [UInt8](hex: "a16161" + hex)) == ["a": date])
    }

    @Test("a time with explicit zero nanoseconds is read")
    func zeroNanoseconds() throws {
        #expect(try Payload(cbor: [UInt8](hex: "d903e9a201052800")) == .date(Timestamp(seconds: 5)))
    }

    static let least = "an integer of at least -9223372036854775808"
    static let time = "tag 1001 with a map of seconds (1) and nanoseconds (-9)"

    @Test(
        "input that is not in the strict form is refused with position and reason",
        arguments: [
            ("", "the payload: expected an item, found the end of the data at byte 0"),
            ("0000", "the payload: expected the end of the data, found 1 more bytes at byte 1"),
            ("f6ff", "the payload: expected the end of the data, found 1 more bytes at byte 1"),
            ("1817", "the payload: expected the shortest form of 23, found a longer one at byte 0"),
            ("1900ff", "the payload: expected the shortest form of 255, found a longer one at byte 0"),
            ("1a0000ffff", "the payload: expected the shortest form of 65535, found a longer one at byte 0"),
            (
                "1b00000000ffffffff",
                "the payload: expected the shortest form of 4294967295, found a longer one at byte 0"
            ),
            ("3817", "the payload: expected the shortest form of 23, found a longer one at byte 0"),
            ("580161", "the payload: expected the shortest form of 1, found a longer one at byte 0"),
            ("a1780161f6", "the payload: expected the shortest form of 1, found a longer one at byte 1"),
            ("980100", "the payload: expected the shortest form of 1, found a longer one at byte 0"),
            ("d8010000", "the payload: expected the shortest form of 1, found a longer one at byte 0"),
            (
                "3b8000000000000000",
                "the payload: expected \(least), found -1-9223372036854775808 at byte 0"
            ),
            (
                "3bffffffffffffffff",
                "the payload: expected \(least), found -1-18446744073709551615 at byte 0"
            ),
            ("1c", "the payload: expected an item, found the reserved first byte 28 at byte 0"),
            ("8101820203fe", "the payload: expected the end of the data, found 4 more bytes at byte 2"),
            ("8201fe", "[1]: expected an item, found the reserved first byte 254 at byte 2"),
            ("5f42010243030405ff", "the payload: expected a definite length, found an indefinite one at byte 0"),
            (
                "7f657374726561646d696e67ff",
                "the payload: expected a definite length, found an indefinite one at byte 0"
            ),
            ("9fff", "the payload: expected a definite length, found an indefinite one at byte 0"),
            ("bf61610161629f0203ffff", "the payload: expected a definite length, found an indefinite one at byte 0"),
            ("83019f0203ff04", "[1]: expected a definite length, found an indefinite one at byte 2"),
            ("ff", "the payload: expected a definite length, found an indefinite one at byte 0"),
            ("f7", "the payload: expected false, true or null, found simple value 23 (undefined) at byte 0"),
            ("f0", "the payload: expected false, true or null, found simple value 16 at byte 0"),
            ("f8ff", "the payload: expected false, true or null, found simple value 255 at byte 0"),
            ("f814", "the payload: expected the shortest form of 20, found a longer one at byte 0"),
            ("f818", "the payload: expected false, true or null, found simple value 24 at byte 0"),
            ("a201020304", "the payload: expected a text key, found an unsigned integer at byte 1"),
            ("a14161f6", "the payload: expected a text key, found a byte string at byte 1"),
            ("a161f5f6", "the payload: expected text in UTF-8, found invalid bytes at byte 1"),
            ("61ff", "the payload: expected text in UTF-8, found invalid bytes at byte 0"),
            ("62c328", "the payload: expected text in UTF-8, found invalid bytes at byte 0"),
            ("8163eda080", "[0]: expected text in UTF-8, found invalid bytes at byte 1"),
            ("a2616101616102", "the payload: expected unique keys, found \"a\" twice at byte 0"),
            ("8182a16161f6a26162f66162f6", "[0][1]: expected unique keys, found \"b\" twice at byte 6"),
            ("a1616182f6a1616362", "a[1].c: expected a text string of length 2, found the end of the data at byte 8"),
            ("c074323031332d30332d32315432303a30343a30305a", "the payload: expected \(time), found tag 0 at byte 0"),
            ("c11a514b67b0", "the payload: expected \(time), found tag 1 at byte 0"),
            ("c249010000000000000000", "the payload: expected \(time), found tag 2 at byte 0"),
            ("81d74401020304", "[0]: expected \(time), found tag 23 at byte 1"),
            ("d903e900", "the payload: expected \(time), found an unsigned integer of length 0 at byte 3"),
            ("d903e9a0", "the payload: expected \(time), found a map of length 0 at byte 3"),
            ("d903e9a3010028002901", "the payload: expected \(time), found a map of length 3 at byte 3"),
            ("d903e9a228010100", "the payload: expected \(time), found another key at byte 4"),
            ("d903e9a2010029", "the payload: expected \(time), found another key at byte 6"),
            ("d903e9a201000100", "the payload: expected \(time), found another key at byte 6"),
            ("d903e9a101f93c00", "the payload: expected \(time), found a floating-point number at byte 5"),
            (
                "d903e9a1011bffffffffffffffff",
                "the payload: expected 64-bit seconds, found an unsigned integer at byte 5"
            ),
            (
                "d903e9a20100281a3b9aca00",
                "the payload: expected nanoseconds below 1000000000, found an unsigned integer (1000000000) at byte 7"
            ),
            (
                "d903e9a201002820",
                "the payload: expected nanoseconds below 1000000000, found a negative integer (0) at byte 7"
            ),
        ])
    func strict(hex: String, message: String) {
        #expect(refusal { () throws(PayloadError) in try Payload(cbor: [UInt8](hex: hex)) } == message)
    }

    @Test(
        "a false length is refused before memory is allocated for it",
        arguments: [
            ("5b7fffffffffffffff", "a byte string of length 9223372036854775807"),
            ("7bffffffffffffffff", "a text string of length 18446744073709551615"),
            ("9bffffffffffffffff00", "an array of length 18446744073709551615"),
            ("bb8000000000000000", "a map of length 9223372036854775808"), ("8301", "an array of length 3"),
            ("a2616100", "a map of length 2"), ("4301", "a byte string of length 3"),
        ])
    func lies(hex: String, expected: String) {
        #expect(
            refusal { () throws(PayloadError) in try Payload(cbor: [UInt8](hex: hex)) }
                == "the payload: expected \(expected), found the end of the data at byte 0")
    }

    @Test("keys that Unicode calls equivalent are two keys")
    func equivalentKeys() throws {
        let payload = try Payload(cbor: [UInt8](hex: "a262c3a90163 65cc81 02"))
        #expect(try payload.entries().map { Array($0.key.utf8) } == [[0xC3, 0xA9], [0x65, 0xCC, 0x81]])
    }
}
