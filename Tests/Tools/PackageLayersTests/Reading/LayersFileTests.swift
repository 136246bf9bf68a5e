import TestSupport
import Testing

@testable import PackageLayers

@Suite(".layers.json")
struct LayersFileTests {
    @Test("it states layers, and exceptions with reasons")
    func entries() throws {
        let text = """
            {"layers": {"NXKit": "base", "nx-net": "thirdParty"},
             "exceptions": [{"target": "Film", "uses": "GRDB", "reason": "its own tables"}]}
            """
        let statement = try LayersFile.statement(Array(text.utf8), path: ".layers.json")
        #expect(statement.layers == ["NXKit": .base, "nx-net": .thirdParty])
        #expect(statement.exceptions == [.init(target: "Film", uses: "GRDB", reason: "its own tables")])
        let empty = try LayersFile.statement(Array("{}".utf8), path: ".layers.json")
        #expect(empty.layers.isEmpty && empty.exceptions.isEmpty)
    }

    @Test(
        "a mistake is refused with its place",
        arguments: [
            ("", "expected JSON, found something else"),
            ("{\"layers\": {\"A\": \"base\",}", "expected JSON, found something else"),
            ("[]", "expected an object or array, found another type of value"),
            ("{\"layer\": {}}", "expected the keys layers, exceptions; found \"layer\""),
            (
                "{\"layers\": {\"A\": \"comon\"}}",
                "layers.A: expected one of host, component, contract, common, base, thirdParty; found \"comon\""
            ),
            ("{\"layers\": {\"A\": 1}}", "layers.A: expected a string, found another type of value"),
            ("{\"exceptions\": {}}", "exceptions: expected an object or array, found another type of value"),
            ("{\"exceptions\": [{\"target\": \"A\", \"uses\": \"B\"}]}", "exceptions.0: the key reason is missing"),
            (
                "{\"exceptions\": [{\"target\": \"A\", \"uses\": \"B\", \"reason\": \" \"}]}",
                "exceptions: expected a reason why A may use B"
            ),
            (
                "{\"exceptions\": [{\"target\": \"A\", \"uses\": \"B\", \"reason\": \"c\", \"why\": \"d\"}]}",
                "expected the keys target, uses, reason; found \"why\""
            ),
        ])
    func mistakes(text: String, reason: String) {
        #expect(throws: LayersError("p/.layers.json: \(reason)")) {
            try LayersFile.statement(Array(text.utf8), path: "p/.layers.json")
        }
    }

    @Test("any bytes are refused or read")
    func random() {
        let text = Array(
            #"{"layers": {"A": "base"}, "exceptions": [{"target": "A", "uses": "B", "reason": "c"}]}"#.utf8)
        var random = SplitMix64(seed: 3)
        var refused = 0
        for _ in 0..<500 {
            var bytes = text
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = Bool.random(using: &random) ? .random(in: .min ... .max, using: &random) : bytes[0]
            }
            do {
                _ = try LayersFile.statement(bytes, path: ".layers.json")
            } catch {
                refused += 1
                #expect(error.message.hasPrefix(".layers.json: ") && !error.message.contains("\n"), "\(error.message)")
            }
        }
        #expect(refused > 300)
    }
}
