import Testing

@testable import ComponentHost

@Suite("The smallest value first")
struct HeapTests {
    private static func heap(of values: [Int]) -> Heap<Int> {
        var heap = Heap<Int>()
        for value in values { heap.insert(value) }
        return heap
    }

    /// Removes all values, and returns them in the order in which they came out.
    private static func drained(_ heap: Heap<Int>) -> [Int] {
        var heap = heap
        var values: [Int] = []
        while let first = heap.first {
            values.append(first)
            heap.removeFirst()
        }
        return values
    }

    @Test(
        "values come out in their order",
        arguments: [
            [], [1], [2, 1], [1, 2], [3, 1, 2], [1, 1, 1], [5, 4, 3, 2, 1, 0, -1], Array(0..<100),
            Array((0..<100).reversed()),
        ] as [[Int]])
    func order(values: [Int]) { #expect(Self.drained(Self.heap(of: values)) == values.sorted()) }

    @Test("random values come out in their order, whatever is added and removed on the way")
    func random() {
        var random = SystemRandomNumberGenerator()
        var heap = Heap<Int>()
        var known: [Int] = []
        for _ in 0..<2000 {
            if known.isEmpty || Int.random(in: 0..<3, using: &random) > 0 {
                let value = Int.random(in: 0..<500, using: &random)
                heap.insert(value)
                known.append(value)
            } else {
                known.remove(at: known.indices.min { known[$0] < known[$1] } ?? 0)
                heap.removeFirst()
            }
            #expect(heap.first == known.min())
            #expect(heap.count == known.count)
        }
        #expect(Self.drained(heap) == known.sorted())
    }

    @Test("those that are not removed stay in their order")
    func removal() {
        var heap = Self.heap(of: (0..<100).map { $0 * 37 % 100 })
        heap.removeAll { $0 % 3 == 0 }
        #expect(Self.drained(heap) == (0..<100).filter { $0 % 3 != 0 })
        heap.removeAll { _ in true }
        #expect(heap.first == nil && heap.count == 0)
        heap.insert(7)
        #expect(Self.drained(heap) == [7])
    }
}
