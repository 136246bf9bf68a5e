import Testing

@testable import ComponentCatalog

@Suite("Numbers of which the smallest comes first")
struct NumberQueueTests {
    /// Removes all numbers, and returns them in the order in which they came out.
    private static func drained(_ queue: NumberQueue) -> [Int] {
        var queue = queue
        var numbers: [Int] = []
        while let first = queue.first {
            numbers.append(first)
            queue.remove(first)
        }
        return numbers
    }

    @Test(
        "numbers come out in their order, each once",
        arguments: [
            (0, []), (1, [0]), (1, [0, 0]), (64, [63, 0]), (65, [64, 63, 64]), (4096, [4095, 64, 1]),
            (4097, [4096, 4095, 0]), (262_145, [262_144, 262_143, 4096, 64, 3]), (100, Array((0..<100).reversed())),
        ])
    func order(limit: Int, numbers: [Int]) {
        var queue = NumberQueue(below: limit)
        for number in numbers { queue.insert(number) }
        #expect(Self.drained(queue) == Set(numbers).sorted())
    }

    @Test("random numbers come out in their order, whatever is added and removed on the way", arguments: [5, 64, 5000])
    func random(limit: Int) {
        var random = SystemRandomNumberGenerator()
        var queue = NumberQueue(below: limit)
        var known: Set<Int> = []
        for _ in 0..<2000 {
            if let number = known.randomElement(using: &random), Int.random(in: 0..<3, using: &random) == 0 {
                queue.remove(number)
                known.remove(number)
            } else {
                let number = Int.random(in: 0..<limit, using: &random)
                queue.insert(number)
                known.insert(number)
            }
            #expect(queue.first == known.min())
        }
        #expect(Self.drained(queue) == known.sorted())
    }
}
