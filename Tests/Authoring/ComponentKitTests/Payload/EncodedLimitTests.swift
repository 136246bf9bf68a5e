import ComponentKit
import Testing

@Suite("Limits of both encoded forms")
struct EncodedLimitTests {
    @Test("64 levels are read and written, 65 and 10,000 are refused", arguments: [64, 65, 10_000])
    func depth(levels: Int) throws {
        let json = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        let cbor = [UInt8](repeating: 0x81, count: levels - 1) + [0x80]
        if levels == 64 {
            let payload = try Payload(json: json)
            #expect(try payload == Payload(cbor: cbor))
            #expect(try payload.json() == json)
            #expect(try payload.cbor() == cbor)
            return
        }
        let path = Array(repeating: 0 as PayloadError.PathElement, count: 64)
        #expect(
            refusalError { () throws(PayloadError) in try Payload(json: json) }
                == PayloadError(path: path, expected: "at most 64 levels", found: "more at line 1, column 65"))
        #expect(
            refusalError { () throws(PayloadError) in try Payload(cbor: cbor) }
                == PayloadError(path: path, expected: "at most 64 levels", found: "more at byte 64"))
    }

    @Test("maps that are too deep are refused")
    func deepMaps() throws {
        let json = String(repeating: "{\"a\":", count: 65) + "1" + String(repeating: "}", count: 65)
        let error = refusalError { () throws(PayloadError) in try Payload(json: json) }
        #expect(error?.path == Array(repeating: "a", count: 63))
        #expect(error?.expected == "at most 64 levels")
        #expect(error?.found == "more at line 1, column 316")
        let likeDate = #"{"$date": {"seconds": 1, "nanoseconds": 2}, "a": 1}"#
        let inside = String(repeating: "{\"a\":", count: 63) + likeDate + String(repeating: "}", count: 63)
        #expect(refusalError { () throws(PayloadError) in try Payload(json: inside) }?.expected == "at most 64 levels")
        let pair = #"[{"a": 1}, {"$bytes": ""}]"#
        let last = String(repeating: "[", count: 63) + pair + String(repeating: "]", count: 63)
        #expect(refusalError { () throws(PayloadError) in try Payload(json: last) }?.expected == "at most 64 levels")
        let none = PayloadLimits(depth: 0, nodes: 10, bytes: 100)
        #expect(try Payload(json: #"{"$double": "nan"}"#, limits: none).kind == .double)
        #expect(
            refusal { () throws(PayloadError) in try Payload(json: "{}", limits: none) }
                == "the payload: expected at most 0 levels, found more")
        let far = String(repeating: "{\"a\":", count: 10_000)
        #expect(refusalError { () throws(PayloadError) in try Payload(json: far) }?.expected == "at most 64 levels")
    }

    @Test("a payload of as many levels as allowed may hold values that JSON writes as maps")
    func formsAtTheBottom() throws {
        var payload: Payload = [
            .bytes([1]), .date(Timestamp(seconds: 5)), .date(Timestamp(seconds: .max)), .double(.nan),
        ]
        for _ in 1..<64 { payload = ["a": payload] }
        #expect(try Payload(json: payload.json()) == payload)
        #expect(
            refusalError { () throws(PayloadError) in try Payload.array([payload]).json() }?.expected
                == "at most 64 levels")
        #expect(
            refusalError { () throws(PayloadError) in try Payload.array([payload]).cbor() }?.expected
                == "at most 64 levels")
    }

    @Test("depth costs no stack if a reader allows it")
    func veryDeep() throws {
        let levels = 300_000
        let limits = PayloadLimits(depth: .max, nodes: .max, bytes: .max)
        let json = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        #expect(try Payload(json: json, limits: limits).count == 1)
        let cbor = [UInt8](repeating: 0x81, count: levels) + [0]
        #expect(try Payload(cbor: cbor, limits: limits).count == 1)
    }

    @Test("values are counted, also those that JSON writes as maps", arguments: [4, 3])
    func nodes(limit: Int) throws {
        let payload: Payload = [1, .date(Timestamp(seconds: .max)), .bytes([])]
        let limits = PayloadLimits(depth: 4, nodes: limit, bytes: 1000)
        let json = try payload.json()
        let cbor = try payload.cbor()
        if limit == 4 {
            #expect(try Payload(json: json, limits: limits) == payload)
            #expect(try Payload(cbor: cbor, limits: limits) == payload)
            return
        }
        #expect(
            refusalError { () throws(PayloadError) in try Payload(json: json, limits: limits) }?.expected
                == "at most 3 values")
        #expect(
            refusalError { () throws(PayloadError) in try Payload(cbor: cbor, limits: limits) }?.expected
                == "at most 3 values")
    }

    @Test("more than a million values are refused")
    func millions() throws {
        let json = "[" + String(repeating: "0,", count: 1_000_010) + "0]"
        #expect(
            refusal { () throws(PayloadError) in try Payload(json: json) }
                == "[1000002]: expected at most 1000000 values, found more at line 1, column 2000007")
        let cbor = [UInt8](hex: "9a000f4241") + [UInt8](repeating: 0, count: 1_000_001)
        #expect(
            refusal { () throws(PayloadError) in try Payload(cbor: cbor) }
                == "[999999]: expected at most 1000000 values, found more at byte 1000004")
        var shared: Payload = [0, 1]
        for _ in 0..<30 { shared = [shared, shared] }
        #expect(refusalError { () throws(PayloadError) in try shared.cbor() }?.expected == "at most 1000000 values")
        #expect(refusalError { () throws(PayloadError) in try shared.json() }?.expected == "at most 1000000 values")
    }

    @Test("bytes are counted in the encoded form and in the payload")
    func bytes() throws {
        let limits = PayloadLimits(depth: 4, nodes: 100, bytes: 40)
        #expect(try Payload(json: "[1,2]", limits: limits) == [1, 2])
        #expect(
            refusal { () throws(PayloadError) in try Payload(json: "[1,2,3]", limits: limits) }
                == "the payload: expected at most 40 bytes, found 48")
        #expect(
            refusal { () throws(PayloadError) in try Payload(cbor: [0x83, 1, 2, 3], limits: limits) }
                == "the payload: expected at most 40 bytes, found 48")
        let long = String(repeating: " ", count: 40) + "1"
        #expect(
            refusal { () throws(PayloadError) in try Payload(json: long, limits: limits) }
                == "the payload: expected at most 40 bytes, found 41")
        #expect(
            refusal { () throws(PayloadError) in try Payload(cbor: Array(repeating: 0, count: 41), limits: limits) }
                == "the payload: expected at most 40 bytes, found 41")
    }

    @Test("output beyond the limit is not written")
    func tooLong() {
        let piece = Payload([UInt8](repeating: 7, count: 34 << 20))
        let payload: Payload = ["a": piece, "b": .array(Array(repeating: piece, count: 20))]
        #expect(
            refusal { () throws(PayloadError) in try payload.cbor().count }
                == "b[6]: expected at most 268435456 bytes, found more")
    }
}
