import ComponentKit
import Testing

@Suite("Writing JSON")
struct JSONWritingTests {
    @Test(
        "a payload has one compact form, which is read as the same payload",
        arguments: [
            (nil, "null"), (true, "true"), (false, "false"), (0, "0"), (-5, "-5"), (.int(.min), "-9223372036854775808"),
            (9_007_199_254_740_993, "9007199254740993"), (.uint(.max), "18446744073709551615"), (3.0, "3.0"),
            (-0.0, "-0.0"), (0.1, "0.1"), (1e16, "1e+16"), (.double(.leastNonzeroMagnitude), "5e-324"), (1e-7, "1e-07"),
            (123456789.25, "123456789.25"),
            (.double(.nan), #"{"$double":"nan"}"#), (.double(.infinity), #"{"$double":"inf"}"#),
            (.double(-.infinity), #"{"$double":"-inf"}"#), ("", "\"\""), ("naïve 水 𐅑", "\"naïve 水 𐅑\""),
            ("\"\\/\u{8}\u{C}\n\r\t\0\u{1F}\u{7F}", #""\"\\/\b\f\n\r\t\u0000\u001f\u007f""#),
            ("\u{80}\u{9F}\u{A0}\u{2028}\u{2029}\u{202A}", "\"\\u0080\\u009f\u{A0}\\u2028\\u2029\u{202A}\""),
            ([], "[]"), ([:], "{}"), ([1, [2], [:]], "[1,[2],{}]"),
            (["a": 1, "b\n": ["c": nil]], #"{"a":1,"b\n":{"c":null}}"#),
            (.bytes([]), #"{"$bytes":""}"#), (.bytes([0]), #"{"$bytes":"AA=="}"#),
            (.bytes([0, 1]), #"{"$bytes":"AAE="}"#),
            (.bytes([0, 1, 2]), #"{"$bytes":"AAEC"}"#), (.bytes([251, 239, 190, 255]), #"{"$bytes":"++++/w=="}"#),
            (.date(Timestamp(seconds: 1_767_323_045, nanoseconds: 6)), #"{"$date":"2026-01-02T03:04:05.000000006Z"}"#),
            (.date(Timestamp(seconds: -1, nanoseconds: 999_999_999)), #"{"$date":"1969-12-31T23:59:59.999999999Z"}"#),
            (.date(Timestamp(seconds: 253_402_300_800)), #"{"$date":{"seconds":253402300800,"nanoseconds":0}}"#),
            (
                .date(Timestamp(seconds: .min, nanoseconds: 7)),
                #"{"$date":{"seconds":-9223372036854775808,"nanoseconds":7}}"#
            ),
            (["$bytes": "AA=="], #"{"$$bytes":"AA=="}"#), (["$date": nil], #"{"$$date":null}"#),
            (["$$double": 1], #"{"$$$double":1}"#), (["$$$bytes": [:]], #"{"$$$$bytes":{}}"#),
            (["$bytes": .bytes([0])], #"{"$$bytes":{"$bytes":"AA=="}}"#), (["$ref": "a/b"], #"{"$ref":"a/b"}"#),
            (["$": 1], #"{"$":1}"#), (["$bytes": "AA==", "a": 1], #"{"$bytes":"AA==","a":1}"#),
            (["bytes": "AA=="], #"{"bytes":"AA=="}"#),
            (["$bytesx": 1], #"{"$bytesx":1}"#), (["$$bytes": 1, "$bytes": 2], #"{"$$bytes":1,"$bytes":2}"#),
        ] as [(Payload, String)])
    func compact(payload: Payload, text: String) throws {
        #expect(try payload.json() == text)
        #expect(try Payload(json: text) == payload)
        #expect(try Payload(json: text).cbor() == payload.cbor())
        #expect(try Payload(json: payload.json(pretty: true)).cbor() == payload.cbor())
    }

    @Test("the pretty form has a line for each element and entry")
    func pretty() throws {
        let payload: Payload = [
            "name": "clip", "tags": ["a", ["b", 1.5]], "none": [], "nothing": [:], "data": .bytes([1]),
            "since": .date(Timestamp(seconds: 0)), "far": .date(Timestamp(seconds: .max)), "one": ["$date": 1],
        ]
        #expect(
            try payload.json(pretty: true) == """
                {
                  "name": "clip",
                  "tags": [
                    "a",
                    [
                      "b",
                      1.5
                    ]
                  ],
                  "none": [],
                  "nothing": {},
                  "data": {"$bytes": "AQ=="},
                  "since": {"$date": "1970-01-01T00:00:00.000000000Z"},
                  "far": {"$date": {"seconds": 9223372036854775807, "nanoseconds": 0}},
                  "one": {
                    "$$date": 1
                  }
                }
                """)
    }

    @Test(
        "the forms for other values are refused with wrong content",
        arguments: [
            (#"{"$bytes":5}"#, "base64 with padding, found int"),
            (#"{"$bytes":"A"}"#, "base64 with padding, found string"),
            (#"{"$bytes":"AA"}"#, "base64 with padding, found string"),
            (#"{"$bytes":"AA="}"#, "base64 with padding, found string"),
            (#"{"$bytes":"AAA"}"#, "base64 with padding, found string"),
            (#"{"$bytes":"===="}"#, "base64 with padding, found string"),
            (#"{"$bytes":"A==="}"#, "base64 with padding, found string"),
            (#"{"$bytes":"AB=="}"#, "base64 with padding, found string"),
            (#"{"$bytes":"AAB="}"#, "base64 with padding, found string"),
            (#"{"$bytes":"AA==AA=="}"#, "base64 with padding, found string"),
            (#"{"$bytes":"AA-_"}"#, "base64 with padding, found string"),
            (#"{"$bytes":"AA ="}"#, "base64 with padding, found string"),
            (#"{"$bytes":"AAA\n"}"#, "base64 with padding, found string"),
            (#"{"$bytes":"=AAA"}"#, "base64 with padding, found string"),
            (#"{"$double":1.5}"#, "\"nan\", \"inf\" or \"-inf\", found double"),
            (#"{"$double":"NaN"}"#, "\"nan\", \"inf\" or \"-inf\", found string"),
            (#"{"$date":"yesterday"}"#, "a time such as 2026-01-02T03:04:05.000000006Z, found string"),
            (#"{"$date":5}"#, "a time such as 2026-01-02T03:04:05.000000006Z, found int"),
            (#"{"$date":{"seconds":1}}"#, "\"seconds\" and then \"nanoseconds\" below 1000000000, found map"),
            (
                #"{"$date":{"seconds":1,"nanoseconds":1000000000}}"#,
                "\"seconds\" and then \"nanoseconds\" below 1000000000, found map"
            ),
            (
                #"{"$date":{"seconds":1,"nanoseconds":-1}}"#,
                "\"seconds\" and then \"nanoseconds\" below 1000000000, found map"
            ),
            (
                #"{"$date":{"seconds":1.0,"nanoseconds":1}}"#,
                "\"seconds\" and then \"nanoseconds\" below 1000000000, found map"
            ),
            (
                #"{"$date":{"seconds":18446744073709551615,"nanoseconds":1}}"#,
                "\"seconds\" and then \"nanoseconds\" below 1000000000, found map"
            ),
        ])
    func badForms(text: String, message: String) {
        #expect(
            refusal { () throws(PayloadError) in try Payload(json: "{\"at\": [0,\n \(text)]}") }
                == "at[1]: expected \(message) at line 2, column 2")
    }

    @Test("base64 of every length and byte makes a round trip")
    func base64() throws {
        for length in 0...260 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7 + length) }
            #expect(try Payload(json: Payload(bytes).json()).bytes() == bytes)
        }
    }
}
