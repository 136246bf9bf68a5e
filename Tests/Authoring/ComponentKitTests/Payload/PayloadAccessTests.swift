import ComponentKit
import Foundation
import Testing

@Suite("Reading payloads")
struct PayloadAccessTests {
    let payload: Payload = [
        "null": nil, "bool": true, "int": -5, "big": .uint(.max), "double": 2.5, "string": "text",
        "bytes": .bytes([0, 255]), "date": .date(Timestamp(seconds: 1, nanoseconds: 2)), "array": [1, [2, 3]],
        "map": ["inner": ["deep": "value"]],
    ]

    @Test("each accessor reads its kind")
    func kinds() throws {
        #expect(try payload.bool("bool") == true)
        #expect(try payload.int("int") == -5)
        #expect(try payload.uint("big") == .max)
        #expect(try payload.double("double") == 2.5)
        #expect(try payload.string("string") == "text")
        #expect(try payload.bytes("bytes") == [0, 255])
        #expect(try payload.date("date") == Timestamp(seconds: 1, nanoseconds: 2))
        #expect(try payload.value("array").items().map(\.kind) == [.int, .array])
        #expect(try payload.value("map", "inner", "deep").string() == "value")
    }

    @Test("missing and null keys are nil if requested")
    func absent() throws {
        #expect(try payload.boolIfPresent("none") == nil)
        #expect(try payload.intIfPresent("null") == nil)
        #expect(try payload.uintIfPresent("null") == nil)
        #expect(try payload.doubleIfPresent("none") == nil)
        #expect(try payload.stringIfPresent("none") == nil)
        #expect(try payload.bytesIfPresent("null") == nil)
        #expect(try payload.dateIfPresent("none") == nil)
        #expect(try payload.stringIfPresent("string") == "text")
        #expect(payload.contains("null"))
        #expect(!payload.contains("none"))
        #expect(payload["none"] == nil)
        #expect(payload["array"]?[5] == nil)
        #expect(payload["array"]?[-1] == nil)
        #expect(payload["array"]?[1]?[0] == 2)
    }

    @Test("integers are read as doubles if they are exact; nothing else is converted")
    func numbers() throws {
        #expect(try Payload(3).double() == 3)
        #expect(try Payload(3).uint() == 3)
        #expect(
            refusal { () throws(PayloadError) in try Payload(3.0).int() }
                == "the payload: expected int, found double 3.0")
        #expect(
            refusal { () throws(PayloadError) in try Payload(9_007_199_254_740_993).double() }
                == "the payload: expected double, found int 9007199254740993")
        #expect(
            refusal { () throws(PayloadError) in try Payload(-1).uint() } == "the payload: expected uint, found int -1")
        #expect(
            refusal { () throws(PayloadError) in try Payload(1).bool() } == "the payload: expected bool, found int")
        #expect(
            refusal { () throws(PayloadError) in try Payload.uint(.max).int() }
                == "the payload: expected int, found uint 18446744073709551615")
    }

    @Test(
        "an error of a key names the key, the expected and the found kind",
        arguments: [
            ("none", "none: expected int, found nothing"),
            ("null", "null: expected int, found null"),
            ("string", "string: expected int, found string"),
            ("bytes", "bytes: expected int, found 2 bytes"),
            ("date", "date: expected int, found date"),
            ("array", "array: expected int, found array of 2"),
            ("map", "map: expected int, found map of 1"),
        ])
    func keyErrors(key: String, message: String) {
        #expect(refusal { () throws(PayloadError) in try payload.int(key) } == message)
    }

    @Test("an error of a path ends at the first step that does not exist")
    func pathErrors() {
        #expect(
            refusal { () throws(PayloadError) in try payload.value("map", "other", "deep") }
                == "map.other: expected a value, found nothing")
        #expect(
            refusal { () throws(PayloadError) in try payload.value("array", 1, 7) }
                == "array[1][7]: expected a value, found nothing")
        #expect(
            refusal { () throws(PayloadError) in try payload.value("int", 0) }
                == "int[0]: expected a value, found int instead of a container")
        #expect(
            refusal { () throws(PayloadError) in try Payload(3).string("a") }
                == "the payload: expected an object with the key a, found int")
        #expect(
            refusal { () throws(PayloadError) in try Payload(3).items() } == "the payload: expected array, found int")
        #expect(
            refusal { () throws(PayloadError) in try Payload("x").entries().count }
                == "the payload: expected map, found string")
        #expect(
            refusal { () throws(PayloadError) in try payload.object("map") } == "map: expected object, found map of 1")
    }

    @Test("an error shows no text, and a number only if one was expected: the value may be secret")
    func noValues() {
        let secrets: [Payload] = ["hunter2", 271_828, 271_828.5, .uint(.max - 271_828), .bytes(Array("hunter2".utf8))]
        for secret in secrets {
            let errors = [
                refusal { () throws(PayloadError) in _ = try secret.value("password", as: String.self) },
                refusal { () throws(PayloadError) in _ = try secret.value(as: UUID.self) },
                refusal { () throws(PayloadError) in _ = try secret.value(as: [String].self) },
                refusal { () throws(PayloadError) in _ = try secret.value(as: [String: Int].self) },
                refusal { () throws(PayloadError) in _ = try secret.value(as: Bool.self) },
                refusal { () throws(PayloadError) in _ = try secret.value("a", 1) },
                refusal { () throws(PayloadError) in _ = try secret.entries().count },
                refusal { () throws(PayloadError) in _ = try secret.items() },
                refusal { () throws(PayloadError) in _ = try (["password": secret] as Payload).bool("password") },
            ]
            #expect(errors.compactMap(\.self).count == errors.count)
            for error in errors.compactMap(\.self) {
                #expect(!error.contains("hunter2") && !error.contains("271828"), "\(error)")
                #expect(error.contains("found"))
            }
        }
        #expect(
            refusal { () throws(PayloadError) in _ = try Payload(271_828).value(as: UInt8.self) }
                == "the payload: expected int from 0 to 255, found int 271828")
    }

    @Test("keys in an error cannot move the cursor or begin a line")
    func excerpts() {
        #expect(
            refusal { () throws(PayloadError) in try Payload(3).value("content-type", "a b\n", 4) }
                == "content-type: expected a value, found int instead of a container")
        #expect(
            PayloadError(path: ["content-type", "a b\n", 4, "", "ключ"], expected: "x", found: "y").description
                == #"content-type."a b\n"[4]."".ключ: expected x, found y"#)
    }

    @Test("a view reads, lends and copies without owning")
    func views() throws {
        #expect(try payload.borrowed { (view) throws(PayloadError) in view.kind } == .map)
        #expect(try payload.borrowed { (view) throws(PayloadError) in try view.string("string") } == "text")
        #expect(try payload.borrowed { (view) throws(PayloadError) in try view.copy() } == payload)
        var kinds: [PayloadKind] = []
        try payload.borrowed { (view) throws(PayloadError) in
            try view.withValue("array") { (array) throws(PayloadError) in
                try array.forEachItem { (item) throws(PayloadError) in kinds.append(item.kind) }
            }
        }
        #expect(kinds == [.int, .array])
    }

    @Test("errors within a view have the path")
    func viewErrors() {
        let inner = refusal { () throws(PayloadError) in
            try payload.borrowed { (view) throws(PayloadError) in
                try view.withValue("array") { (array) throws(PayloadError) in
                    try array.forEachItem { (item) throws(PayloadError) in _ = try item.int() }
                }
            }
        }
        #expect(inner == "array[1]: expected int, found array of 2")
        let missing = refusal { () throws(PayloadError) in
            try payload.borrowed { (view) throws(PayloadError) in try view.withValue("none") { $0.count } }
        }
        #expect(missing == "none: expected a value, found nothing")
        let noArray = refusal { () throws(PayloadError) in
            try payload.borrowed { (view) throws(PayloadError) in try view.forEachItem { _ in } }
        }
        #expect(noArray == "the payload: expected array, found map of 10")
    }
}
