import ComponentKit
import Foundation
import Testing

@Suite("Random values and random payloads through Codable")
struct CodableFuzzTests {
    indirect enum Value: Codable, Equatable {
        case leaf(Leaf)
        case list([Value])
        case map([String: Value])
        case maybe(Value?)
    }

    struct Leaf: Codable, Equatable {
        var flag: Bool
        var small: Int8
        var big: UInt64
        var real: Double
        var text: String
        var bytes: Data
        var date: Date
        var maybe: Int?
        var numbers: [Int: Float]

        static func random(_ generator: inout SeededGenerator) -> Leaf {
            let texts = ["", "é", "e\u{301}", "a\u{0}b", "😀", "plain"]
            return Leaf(
                flag: .random(using: &generator), small: .random(in: .min...(.max), using: &generator),
                big: generator.next(), real: .random(in: -1e9...1e9, using: &generator),
                text: texts.randomElement(using: &generator) ?? "",
                bytes: Data((0..<Int.random(in: 0..<9, using: &generator)).map { UInt8($0) }),
                date: Date(timeIntervalSince1970: Double(Int32(truncatingIfNeeded: generator.next()))),
                maybe: .random(using: &generator) ? 3 : nil,
                numbers: [.random(in: .min...(.max), using: &generator): .random(in: -1...1, using: &generator)])
        }
    }

    static func random(_ generator: inout SeededGenerator, depth: Int) -> Value {
        switch Int.random(in: 0..<(depth > 0 ? 4 : 1), using: &generator) {
        case 0: return .leaf(.random(&generator))
        case 1:
            return .list(
                (0..<Int.random(in: 0..<4, using: &generator)).map { _ in random(&generator, depth: depth - 1) })
        case 2:
            let keys = ["", "a", "b", "_0", "long key with spaces"].shuffled(using: &generator).prefix(2)
            return .map(Dictionary(uniqueKeysWithValues: keys.map { ($0, random(&generator, depth: depth - 1)) }))
        default: return .maybe(.random(using: &generator) ? random(&generator, depth: depth - 1) : nil)
        }
    }

    @Test("every encoded value is decoded, even after crossing the boundary", arguments: 0..<200 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let value = CodableFuzzTests.random(&generator, depth: 4)
        let payload = try PayloadEncoder().encode(value)
        #expect(try PayloadDecoder().decode(Value.self, from: payload) == value)
        let copy = try payload.borrowed { view throws(PayloadError) in try view.copy() }
        #expect(try PayloadDecoder().decode(Value.self, from: copy) == value)
    }

    @Test("any payload is either decoded or refused", arguments: 0..<300 as Range<UInt64>)
    func anyPayload(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var refused = 0
        for _ in 0..<20 {
            let payload = Payload.random(using: &generator)
            do {
                _ = try PayloadDecoder().decode(Value.self, from: payload)
            } catch is DecodingError {
                refused += 1
            }
            do {
                _ = try __LinkCoding.value(of: payload, as: Leaf.self)
            } catch {
                #expect(!error.description.isEmpty)
                refused += 1
            }
        }
        #expect(refused > 0)
    }
}
