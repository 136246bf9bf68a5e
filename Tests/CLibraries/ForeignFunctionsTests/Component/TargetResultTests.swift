import ComponentHost
import ComponentKit
import Testing

@Suite("Described functions as actions of a target")
struct TargetResultTests {
    @Test("results of every kind arrive as values")
    func results() async throws {
        let rows: [(String, Payload, Payload)] = [
            ("plain_int8", ["value": 127], -127), ("plain_uint8", ["value": 254], 255),
            ("plain_int16", ["value": 32767], -32767), ("plain_uint16", ["value": 65535], 65535),
            ("plain_uint32", ["value": 4_294_967_295], 4_294_967_295),
            ("plain_uint64", ["value": .uint(.max)], .uint(.max)),
            ("plain_not", ["value": false], true), ("plain_half", ["value": 3], 1.5),
            ("plain_third", ["value": 9], 3.0),
            ("plain_mixed", ["number": 3, "factor": 0.5, "text": "A"], 66.5),
            ("plain_nothing", .null, .null), ("plain_swap", ["pair": ["x": 1, "y": 2]], ["x": 2.0, "y": 1.0]),
            ("plain_reverse", ["s": ["bytes": .bytes([1, 2, 3])]], ["bytes": .bytes([3, 2, 1])]),
        ]
        try await withLibraries("plain") { host async throws in
            for (action, payload, value) in rows {
                #expect(host.check(target: "Plain", action: action))
                #expect(try await host.perform(target: "Plain", action: action, payload) == value, "\(action)")
            }
            let box = try await host.perform(target: "Plain", action: "plain_box", ["value": 40])
            #expect(
                try await host.perform(target: "Plain", action: "plain_add", ["box": box, "amount": 2]) == .null)
            #expect(try await host.perform(target: "Plain", action: "plain_value", ["box": box]) == 42)
            #expect(!host.check(target: "Plain", action: "plain_missing"))
        }
    }

    @Test("a described library goes on after its instance was released")
    func released() async throws {
        try await withLibraries("plain") { host async throws in
            let box = try await host.perform(target: "Plain", action: "plain_box", ["value": 40])
            #expect(host.releaseTarget("Plain"))
            #expect(try await host.perform(target: "Plain", action: "plain_value", ["box": box]) == 40)
        }
    }
}
