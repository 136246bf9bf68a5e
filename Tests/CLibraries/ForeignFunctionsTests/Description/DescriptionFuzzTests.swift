import ComponentKit
import ForeignFunctions
import Foundation
import TestSupport
import Testing

@Suite("Random descriptions")
struct DescriptionFuzzTests {
    /// Returns the numbers of the random inputs. scripts/fuzz wants more than usual.
    private static func rounds(_ usual: Int) -> some Sequence<Int> {
        let end = Date().addingTimeInterval(EchoTests.seconds ?? 0)
        return sequence(first: 0) { $0 + 1 < usual || Date() < end ? $0 + 1 : nil }
    }

    @Test(
        "mutated descriptions are read or refused",
        arguments: ["libc", "zlib", "sqlite", "plain", "memory", "glib", "yaml"])
    func mutated(name: String) throws {
        let file = BuiltProducts.packageDirectory.appending(path: "Tests/Descriptions/\(name).hslink.json")
        let text = [UInt8](try Data(contentsOf: file))
        var random = SplitMix64(seed: 42)
        var (read, refused) = (0, 0)
        for _ in Self.rounds(TestLength.rounds(100, long: 300)) {
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
        // The random inputs include both outcomes.
        #expect(read > 0)
        #expect(refused > 0)
    }

    @Test("random annotations are read or refused")
    func annotations() throws {
        let words = [
            "in", "out", "inout", "string", "bytes", "items", "value", "handle", "new", "null", "context", "=", "free",
            "keeps", "of", "kept", "by", "error", "if", "unless", "message", "else", "quick", "errno", "[", "]", "(",
            ")", ";", ",", "|", "+", "-", "*", "<", "<=", "a", "n", "return", "room", "sizeof(int)", "f(a)", "'x'", "0",
            "9223372036854775807", "0x10", "nullable", "ignored", "printf(a)", "object", "function", "copied", "union",
            "{", "}", ":", "->", "number", "x", "free(f)", "bytes[n]", "items[null]", "string[n]", "out value",
        ]
        var random = SplitMix64(seed: 7)
        var accepted = 0
        for _ in Self.rounds(3000) {
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

    /// Descriptions that once crashed or blocked the reader.
    private static let corpus: [(String, String, String)] = [
        ("struct s { char c; } __attribute__((aligned(131072))); void f(struct s x);", "{}", "{}"),
        ("struct s { char c[140737488355328]; }; void f(struct s x);", "{}", "{}"),
        ("struct e {}; struct s { char a; struct e c[1099511627776]; }; void f(struct s x);", "{}", "{}"),
        ("struct s { struct { int a[4096][1024]; } b[65536]; }; void f(struct s *x);", #"{"f": {"x": "out"}}"#, "{}"),
        ("int f(int a); int g(int a);", "{}", #"{"é": "x", "e\u0301": "y", "f": "", "g": "h"}"#),
        ("int f(int (*c)(int arg2, int), int arg2, int);", #"{"f": {"c.a.a.a.a": "in", "c": "kept"}}"#, "{}"),
        ("int f(void *a, int n, int m);", #"{"f": {"a": "out bytes[n * m]", "n": "= m", "m": "= n + 1"}}"#, "{}"),
        ("struct s { int k; union { char *t; long n; }; }; void f(struct s *x);", #"{"f": {"x": "inout"}}"#, "{}"),
    ]

    @Test("mutated hostile descriptions are read or refused", arguments: corpus.indices)
    func hostile(index: Int) throws {
        let (declarations, annotations, rename) = DescriptionFuzzTests.corpus[index]
        let text = Array(
            """
            {"name": "a", "version": "1.0.0", "library": "libc.so.6", "class": "A", "declarations": "\(declarations)",
             "annotations": \(annotations), "rename": \(rename)}
            """.utf8)
        _ = try LibraryDescription(try Payload(json: text)).manifest
        var random = SplitMix64(seed: UInt64(index))
        let start = text.count - declarations.utf8.count - annotations.utf8.count - rename.utf8.count - 34
        var read = 0
        for _ in 0..<500 {
            var mutant = text
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: start..<mutant.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: mutant[place] = "0123456789.,;*[]{}()aest".utf8.randomElement(using: &random) ?? 0x20
                case 1: mutant.insert("0123456789.*".utf8.randomElement(using: &random) ?? 0x20, at: place)
                case 2: mutant.remove(at: place)
                default:
                    let end = min(mutant.count, place + Int.random(in: 1...20, using: &random))
                    mutant.insert(contentsOf: mutant[place..<end], at: place)
                }
            }
            guard let json = try? Payload(json: mutant), let found = try? LibraryDescription(json) else { continue }
            _ = found.manifest
            read += 1
        }
        #expect(read > 0)
    }

    @Test("paths of annotations are finite")
    func paths() throws {
        let path = String(repeating: "a.", count: 100_000) + "a"
        let json: Payload = [
            "name": "a", "version": "1.0.0", "library": "libc.so.6", "class": "A", "declarations": "int f(int a);",
            "annotations": ["f": Payload(entries: [(path, "in")], uniquingKeysWith: { first, _ in first })],
        ]
        let refusals = try LibraryDescription(json).refusals
        #expect(refusals.map(\.name) == ["f"])
    }

    @Test(
        "deep and long ones are refused",
        arguments: [
            String(repeating: "(", count: 100_000), String(repeating: "-", count: 100_000),
            String(repeating: "f(", count: 100_000), String(repeating: "1+", count: 100_000) + "1",
            String(repeating: "1*", count: 3000) + "1",
        ])
    func deep(formula: String) throws {
        let json: Payload = [
            "name": "a", "version": "1.0.0", "library": "libc.so.6", "class": "A", "declarations": "int f(void *a);",
            "annotations": ["f": ["a": .string("bytes[\(formula)]")]],
        ]
        let refusals = try LibraryDescription(json).refusals
        #expect(refusals.map(\.name) == ["f"])
    }
}
