import ComponentHost
import ComponentKit
import Foundation
import Testing

@Suite("Big payloads in calls")
struct PayloadSizeTests {
    @Test("ten megabytes make a round trip", arguments: Depth.allCases, [CallForm.callback, .async, .blocking])
    func bytes(depth: Depth, form: CallForm) async throws {
        let host = try depth.host()
        let payload: Payload = ["data": .bytes([UInt8](repeating: 0xA5, count: 10_000_000))]
        let answer = await form.perform(host, "echo", payload)
        #expect(answer.returnValue == payload)
    }

    @Test("a hundred thousand entries make a round trip", arguments: Depth.allCases, [CallForm.async, .blocking])
    func entries(depth: Depth, form: CallForm) async throws {
        let host = try depth.host()
        let payload = Payload.map((0..<100_000).map { ("key \($0)", .int($0)) })
        let answer = await form.perform(host, "echo", payload)
        #expect(answer.returnValue == payload)
        #expect(answer.returnValue?.count == 100_000)
    }

    @Test("sixty-four levels are accepted, more are refused", arguments: Depth.allCases, [10, 63, 64, 65, 66, 200])
    func levels(depth: Depth, levels: Int) async throws {
        let host = try depth.host()
        var payload: Payload = []
        for _ in 1..<levels { payload = [payload] }
        for form in CallForm.allCases {
            let answer = await form.perform(host, "echo", payload)
            if levels <= 64 {
                #expect(answer.returnValue == payload)
            } else {
                #expect(answer.error?.code == .payloadMismatch)
                #expect(answer.classIsLoad)
            }
        }
    }

    @Test("every kind of value makes a round trip unchanged", arguments: Depth.allCases)
    func kinds(depth: Depth) async throws {
        let host = try depth.host()
        let payload: Payload = [
            "null": nil, "bool": true, "int": -1, "least": .int(.min), "uint": .uint(.max), "double": 0.1,
            "text": "Grüße\u{0}🙂", "empty": "", "bytes": .bytes([0, 255]), "none": .bytes([]),
            "date": .date(Timestamp(seconds: -1, nanoseconds: 999_999_999)), "array": [[], [:]], "": "empty key",
        ]
        #expect(await CallForm.async.perform(host, "echo", payload).returnValue == payload)
        #expect(await CallForm.boundBlocking.perform(host, "echo", payload).returnValue == payload)
    }
}
