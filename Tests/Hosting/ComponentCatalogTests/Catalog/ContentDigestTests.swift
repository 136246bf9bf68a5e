import TestSupport
import Testing

@testable import ComponentCatalog

@Suite("The digest of a file's content")
struct ContentDigestTests {
    @Test(
        "differs when a byte is changed, added or removed, wherever it is",
        arguments: [1, 7, 8, 31, 32, 33, 63, 64, 100, 1 << 18, 1 << 18 + 41])
    func differs(count: Int) throws {
        let directory = try TemporaryDirectory()
        func digest(_ bytes: [UInt8]) throws -> ContentDigest {
            let path = try directory.write(bytes, to: "file")
            var checker = TrustChecker(policy: .unchecked)
            return try ContentDigest(checker.openFile(path: path))
        }
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        let first = try digest(bytes)
        #expect(try digest(bytes) == first)
        var others: Set<ContentDigest> = [first, try digest(bytes + [0]), try digest(Array(bytes.dropLast()))]
        #expect(others.count == 3)
        let places = Set([0, 1, 7, 8, 30, 31, 32, count / 2, count - 2, count - 1].filter { 0..<count ~= $0 })
        for place in places {
            for bit in 0..<8 {
                var changed = bytes
                changed[place] ^= 1 << bit
                others.insert(try digest(changed))
            }
        }
        #expect(others.count == 3 + places.count * 8)
    }
}
