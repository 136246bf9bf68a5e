/// Numbers of which the smallest comes first, in a binary heap.
struct SmallestFirst {
    private var numbers: [Int] = []

    /// The smallest number; nil if there is none.
    var first: Int? { numbers.first }

    mutating func insert(_ number: Int) {
        var index = numbers.count
        numbers.append(number)
        while index > 0, numbers[(index - 1) / 2] > numbers[index] {
            numbers.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Removes the smallest number; there must be one.
    mutating func removeFirst() {
        numbers.swapAt(0, numbers.count - 1)
        numbers.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < numbers.count {
                if numbers[child] < numbers[least] { least = child }
            }
            guard least != parent else { return }
            numbers.swapAt(parent, least)
            parent = least
        }
    }
}
