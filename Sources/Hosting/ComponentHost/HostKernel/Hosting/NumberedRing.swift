package import ComponentKit
import Glibc

/// The last elements of a sequence that goes on, each with a number that is never used again.
struct NumberedRing<Element> {
    /// How many elements are kept.
    static var limit: Int { 500 }

    /// In the order of their numbers, beginning at `start` and continuing at the first index.
    private var elements: [Element] = []
    private var start = 0
    /// The number of the last element, also of one that has been removed; 0 before the first.
    private(set) var lastNumber = 0

    /// Adds an element, in place of the oldest if there are too many.
    ///
    /// - Parameter make: receives the number of the element.
    mutating func append(_ make: (_ number: Int) -> Element) {
        lastNumber += 1
        guard elements.count == Self.limit else { return elements.append(make(lastNumber)) }
        elements[start] = make(lastNumber)
        start = (start + 1) % Self.limit
    }

    /// Removes all elements. The numbers continue.
    mutating func removeAll() {
        elements = []
        start = 0
    }

    /// Returns the elements that are kept, oldest first.
    ///
    /// - Parameter number: only those after the one with this number; nil for all.
    func elements(after number: Int?) -> [Element] {
        let wanted = number.map { max(lastNumber - max($0, 0), 0) } ?? elements.count
        return (elements[start...] + elements[..<start]).suffix(wanted)
    }
}

extension Timestamp {
    /// The current time of the system clock.
    package static var now: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: UInt32(time.tv_nsec))
    }
}
