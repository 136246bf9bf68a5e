import ComponentKit
import ForeignFunctions
import Foundation
import TestSupport
import Testing

@Suite("Descriptions by chance")
struct DescriptionFuzzTests {
    @Test("mutated descriptions are read or refused", arguments: ["libc", "zlib", "sqlite", "plain"])
    func mutated(name: String) throws {
        let file = BuiltProducts.packageDirectory.appending(path: "Tests/Descriptions/\(name).hslink.json")
        let text = [UInt8](try Data(contentsOf: file))
        var random = SplitMix64(seed: 42)
        var (read, refused) = (0, 0)
        for _ in 0..<300 {
            var mutant = text
            for _ in 0...Int.random(in: 0...6, using: &random) {
                let place = Int.random(in: 0..<mutant.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: mutant[place] = UInt8.random(in: 0x20..<0x7F, using: &random)
                case 1: mutant.remove(at: place)
                case 2:
                    mutant.insert(contentsOf: "()[];,*=:<| 0aZ\"".utf8.shuffled(using: &random).prefix(3), at: place)
                case 3:
                    let end = min(mutant.count, place + Int.random(in: 1...40, using: &random))
                    mutant.insert(contentsOf: mutant[place..<end], at: Int.random(in: 0..<mutant.count, using: &random))
                default:
                    let end = min(mutant.count, place + Int.random(in: 1...20, using: &random))
                    mutant.removeSubrange(place..<end)
                }
            }
            if let json = try? Payload(json: mutant), (try? LibraryDescription(json)) != nil {
                read += 1
            } else {
                refused += 1
            }
        }
        // Chance has met both.
        #expect(read > 0)
        #expect(refused > 0)
    }

    @Test("annotations by chance are read or refused")
    func annotations() throws {
        let words = [
            "in", "out", "inout", "string", "bytes", "items", "value", "handle", "new", "null", "context", "=", "free",
            "keeps", "of", "kept", "by", "error", "if", "unless", "message", "else", "quick", "errno", "[", "]", "(",
            ")", ";", ",", "|", "+", "-", "*", "<", "<=", "a", "n", "return", "room", "sizeof(int)", "f(a)", "'x'", "0",
            "9223372036854775807", "0x10", "nullable", "ignored", "printf(a)",
        ]
        var random = SplitMix64(seed: 7)
        var accepted = 0
        for _ in 0..<3000 {
            let text = (0...Int.random(in: 0...6, using: &random)).map { _ in words.randomElement(using: &random) ?? ""
            }
            let annotation = text.joined(separator: " ")
            let json: Payload = [
                "name": "a", "version": "1.0.0", "library": "libc.so.6", "class": "A",
                "declarations": "int f(void *a, int n, struct s { int x; } *p, char **t, int (*c)(void *a, int n));",
                "annotations": [
                    "f": [
                        "a": .string(annotation), "p": .string(annotation), "t": .string(annotation),
                        "c.a": .string(annotation), "return": .string(annotation),
                    ]
                ],
            ]
            if let found = try? LibraryDescription(json) {
                accepted += 1
                _ = found.manifest
            }
        }
        #expect(accepted > 0)
    }

    @Test(
        "deep and long ones are refused",
        arguments: [
            String(repeating: "(", count: 100_000), String(repeating: "-", count: 100_000),
            String(repeating: "f(", count: 100_000), String(repeating: "1+", count: 100_000) + "1",
            String(repeating: "1*", count: 3000) + "1",
        ])
    func deep(formula: String) {
        let json: Payload = [
            "name": "a", "version": "1.0.0", "library": "libc.so.6", "class": "A", "declarations": "int f(void *a);",
            "annotations": ["f": ["a": .string("bytes[\(formula)]")]],
        ]
        #expect(throws: PayloadError.self) { try LibraryDescription(json) }
    }
}
