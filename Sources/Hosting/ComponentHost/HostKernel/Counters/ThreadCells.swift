import CHostThread
import ComponentKit
import Synchronization

/// The numbers that a thread counts, each in a cell that only this thread writes. Readers add up the cells of all
/// threads. So counting needs neither a lock nor a shared cache line: it is a load, an addition and a store.
///
/// The first cell has the number of cells, the second one the place of the thread in ``CellRegistry``. They never
/// change while the thread has these cells. A thread that counts a number beyond them moves to more cells.
enum ThreadCells {
    typealias Cell = Atomic<UInt64>

    /// The cells with the size and the place, which count nothing.
    static let reserved = 2

    /// Counts one more for the calling thread.
    ///
    /// - Returns: How many the thread had counted before.
    @inline(__always)
    static func add(_ number: Int) -> UInt64 {
        let cells = unsafe hslink_host_thread_cells().assumingMemoryBound(to: Cell.self)
        guard unsafe UInt64(truncatingIfNeeded: number) < cells[0].load(ordering: .relaxed) else {
            return addWithMoreCells(number)
        }
        let count = unsafe cells[number].load(ordering: .relaxed)
        unsafe cells[number].store(count &+ 1, ordering: .relaxed)
        return count
    }

    @inline(never)
    private static func addWithMoreCells(_ number: Int) -> UInt64 {
        // Has the thread give up its cells when it ends.
        _ = HostThread.current
        let cells = unsafe CellRegistry.grow(
            unsafe hslink_host_thread_cells().assumingMemoryBound(to: Cell.self), to: number + 1)
        unsafe hslink_set_host_thread_cells(cells)
        let count = unsafe cells[number].load(ordering: .relaxed)
        unsafe cells[number].store(count &+ 1, ordering: .relaxed)
        return count
    }

    /// Leaves the cells of a thread that ends to another thread, with what they have counted.
    static func abandon() {
        unsafe CellRegistry.release(unsafe hslink_host_thread_cells().assumingMemoryBound(to: Cell.self))
        hslink_set_host_thread_cells(nil)
    }
}

/// The cells of all threads, those that have ended included, and the numbers that they count.
enum CellRegistry {
    typealias Cell = ThreadCells.Cell

    @safe
    // Unchecked: pointers that are used under the lock around this value, or by the thread that they belong to.
    private struct Registry: @unchecked Sendable {
        /// The cells of each place.
        var places: [UnsafeMutablePointer<Cell>] = unsafe []
        /// The places whose threads have ended.
        var free: [Int] = []
        /// The numbers that are no longer counted.
        var retired: [Int] = []
        /// The least number that has never been counted.
        var next = ThreadCells.reserved
    }

    private static let registry = Lock(Registry())

    /// The number of cells that a thread gets first: one page.
    private static let first = 512

    /// Returns a number that nothing counts, and how often threads have counted it before.
    static func takeNumber() -> (number: Int, count: UInt64) {
        registry.withLock { registry in
            guard let number = registry.retired.popLast() else {
                defer { registry.next += 1 }
                return (registry.next, 0)
            }
            return (number, unsafe sum(of: number, registry.places))
        }
    }

    /// Gives a number back. No thread may count it any more.
    static func retire(_ number: Int) { registry.withLock { $0.retired.append(number) } }

    /// Returns how often all threads have counted each of the numbers. Threads go on meanwhile.
    static func sums(of numbers: [Int]) -> [UInt64] {
        registry.withLock { registry in numbers.map { unsafe sum(of: $0, registry.places) } }
    }

    private static func sum(of number: Int, _ places: [UnsafeMutablePointer<Cell>]) -> UInt64 {
        unsafe places.reduce(0) { sum, cells in
            unsafe UInt64(number) < cells[0].load(ordering: .relaxed)
                ? sum &+ cells[number].load(ordering: .relaxed) : sum
        }
    }

    /// Returns at least `count` cells for the calling thread, with what its own ones have counted. They are copied
    /// under the lock, so that a reader finds them in one place only.
    ///
    /// - Parameter cells: the cells of the thread.
    fileprivate static func grow(_ cells: UnsafePointer<Cell>, to count: Int) -> UnsafeMutablePointer<Cell> {
        unsafe registry.withLock { registry in
            let place: Int
            if unsafe cells[0].load(ordering: .relaxed) > 0 {
                place = Int(unsafe cells[1].load(ordering: .relaxed))
            } else if let free = registry.free.popLast() {
                place = free
            } else {
                place = unsafe registry.places.count
                unsafe registry.places.append(make(first, place: place))
            }
            let present = unsafe registry.places[place]
            let size = Int(unsafe present[0].load(ordering: .relaxed))
            guard size < count else { return unsafe present }
            var more = size
            while more < count { more *= 2 }
            let made = unsafe make(more, place: place)
            for index in ThreadCells.reserved..<size {
                unsafe made[index].store(present[index].load(ordering: .relaxed), ordering: .relaxed)
            }
            unsafe registry.places[place] = unsafe made
            unsafe present.deinitialize(count: size)
            unsafe present.deallocate()
            return unsafe made
        }
    }

    fileprivate static func release(_ cells: UnsafePointer<Cell>) {
        guard unsafe cells[0].load(ordering: .relaxed) > 0 else { return }
        let place = Int(unsafe cells[1].load(ordering: .relaxed))
        registry.withLock { $0.free.append(place) }
    }

    private static func make(_ count: Int, place: Int) -> UnsafeMutablePointer<Cell> {
        let cells = UnsafeMutablePointer<Cell>.allocate(capacity: count)
        for index in 0..<count { unsafe (cells + index).initialize(to: Cell(0)) }
        unsafe cells[0].store(UInt64(count), ordering: .relaxed)
        unsafe cells[1].store(UInt64(place), ordering: .relaxed)
        return unsafe cells
    }
}
