/// Values of which the smallest comes first, in a binary heap: adding a value and removing the smallest one take
/// logarithmic time.
// In this module, and not swift-collections' heap, because generic code of another module is several times slower here,
// inlinable or not, and calls with a deadline are scheduled here. With `traits: []`, that package is not even fetched.
struct Heap<Element: Comparable> {
    private var elements: [Element] = []

    /// Creates a heap without values.
    init() {}

    /// The smallest value; nil if there is none.
    var first: Element? { elements.first }

    /// The number of values.
    var count: Int { elements.count }

    /// Adds a value.
    mutating func insert(_ element: Element) {
        var index = elements.count
        elements.append(element)
        while index > 0 {
            let parent = (index - 1) / 2
            guard elements[index] < elements[parent] else { return }
            elements.swapAt(index, parent)
            index = parent
        }
    }

    /// Removes the smallest value; there must be one.
    mutating func removeFirst() {
        elements.swapAt(0, elements.count - 1)
        elements.removeLast()
        var parent = 0
        while true {
            let (left, right) = (2 * parent + 1, 2 * parent + 2)
            var least = parent
            if left < elements.count, elements[left] < elements[least] { least = left }
            if right < elements.count, elements[right] < elements[least] { least = right }
            guard least != parent else { return }
            elements.swapAt(parent, least)
            parent = least
        }
    }

    /// Removes all values that meet a condition, in time for all of them.
    mutating func removeAll(where isRemoved: (Element) -> Bool) {
        let kept = elements.filter { !isRemoved($0) }
        elements = []
        elements.reserveCapacity(kept.count)
        for element in kept { insert(element) }
    }
}

extension Heap: Sendable where Element: Sendable {}
