import ComponentKit
import Synchronization
import SystemSupport

/// What is counted of the calls to one method. It lives as long as the host, so that a component that a rescan replaces
/// goes on counting where it was.
///
/// Calls are counted in the cells of threads, without any synchronisation; see ``ThreadCells``. Everything else happens
/// seldom enough for atomic additions.
final class MethodCounters: Sendable {
    /// The method, by its names.
    struct Key: Hashable, Sendable {
        /// The component; empty for classes that no component has.
        let component: String
        let className: String
        /// The selector; empty for selectors that the class does not have.
        let selector: String
        let kind: SelectorKind

        static func == (left: Key, right: Key) -> Bool {
            left.kind == right.kind && left.selector.isExactly(right.selector)
                && left.className.isExactly(right.className) && left.component.isExactly(right.component)
        }

        func hash(into hasher: inout Hasher) {
            for name in [component, className, selector] { hasher.combine(ExactText(name)) }
            hasher.combine(kind)
        }
    }

    let key: Key
    /// The cell in which threads count the calls.
    let number: Int
    /// What threads had counted in the cell for others.
    let base: UInt64
    /// The code of the calls that find nothing, in a row for all selectors that do not exist, and the cell in which
    /// threads count them; zero in all other rows. An atomic addition would take as long as the rest of such a call.
    private let missCode: LinkError.Code
    private let missNumber: Int
    private let missBase: UInt64
    /// Counts the replies that no caller receives any more.
    let ledger = ReplyLedger.make()
    /// The number of threads of the host that are in the method.
    let inside = Atomic<Int>(0)
    /// The failures by code, the durations by bucket, and the sum of the durations in nanoseconds.
    private let cells: Cells

    init(_ key: Key) {
        self.key = key
        (number, base) = CellRegistry.takeNumber()
        missCode = key.className.isEmpty ? .classNotFound : .selectorNotFound
        (missNumber, missBase) = key.selector.isEmpty ? CellRegistry.takeNumber() : (0, 0)
        cells = Cells()
    }

    deinit {
        CellRegistry.retire(number)
        if missNumber > 0 { CellRegistry.retire(missNumber) }
        ledger.retire()
    }

    // MARK: - Counting

    /// Counts a call, and reads the clock.
    func count() -> CallTiming {
        _ = ThreadCells.add(number)
        return .now
    }

    /// Counts how a call has ended.
    func end(_ outcome: Result<Payload, LinkError>, _ timing: CallTiming) {
        if case .failure(let error) = outcome { fail(error.code) }
        add(timing)
    }

    /// Counts the duration of a call that ends now, if it is timed.
    func add(_ timing: CallTiming) {
        guard timing.isTimed else { return }
        let (nanoseconds, weight) = timing.end()
        cells.add(weight, at: Cells.durations + DurationHistogram.bucket(of: nanoseconds))
        cells.add(nanoseconds &* weight, at: Cells.sum)
    }

    /// Counts a failure.
    @inline(never)
    func fail(_ code: LinkError.Code) {
        cells.add(1, at: Cells.place(of: code))
    }

    /// Counts a call that has failed before it reached a method.
    @inline(__always)
    func refuse(_ code: LinkError.Code) {
        _ = ThreadCells.add(number)
        guard code == missCode, missNumber > 0 else { return fail(code) }
        _ = ThreadCells.add(missNumber)
    }

    // MARK: - Reading

    var failures: [LinkError.Code: Int] {
        var failures: [LinkError.Code: Int] = [:]
        for place in 0..<Cells.durations {
            let count = cells.value(at: place)
            if count > 0 { failures[Cells.code(at: place)] = Int(clamping: count) }
        }
        let misses = missNumber > 0 ? CellRegistry.sums(of: [missNumber])[0] &- missBase : 0
        if misses > 0 { failures[missCode, default: 0] += Int(clamping: misses) }
        return failures
    }

    var durations: DurationHistogram {
        DurationHistogram(
            counts: (0..<DurationHistogram.bucketCount).map {
                Int(clamping: cells.value(at: Cells.durations + $0))
            },
            sum: .nanoseconds(Int64(clamping: cells.value(at: Cells.sum))))
    }
}

/// The atomics of one method, in one piece of memory.
@safe
// Unchecked: a constant pointer to atomics that this object owns.
private final class Cells: @unchecked Sendable {
    /// The places of the first buckets and of the sum, behind the failures.
    static let durations = answers + causes + 1
    static let sum = durations + DurationHistogram.bucketCount

    /// The number of codes from 0 on that answer calls, and of those from 100 on that say why a component is not
    /// loaded; with room for new ones. All others share a place, because a component may answer with any number.
    private static let answers = 24
    private static let causes = 16

    static func place(of code: LinkError.Code) -> Int {
        switch code.rawValue {
        case 0..<Int32(answers): Int(code.rawValue)
        case 100..<Int32(100 + causes): Int(code.rawValue) - 100 + answers
        default: answers + causes
        }
    }

    static func code(at place: Int) -> LinkError.Code {
        switch place {
        case 0..<answers: LinkError.Code(rawValue: Int32(place))
        case answers..<answers + causes: LinkError.Code(rawValue: Int32(100 + place - answers))
        default: .other
        }
    }

    private let values: UnsafeMutablePointer<Atomic<UInt64>>

    init() {
        unsafe values = .allocate(capacity: Cells.sum + 1)
        for index in 0...Cells.sum { unsafe (values + index).initialize(to: Atomic(0)) }
    }

    deinit {
        unsafe values.deinitialize(count: Cells.sum + 1)
        unsafe values.deallocate()
    }

    func add(_ value: UInt64, at place: Int) { unsafe values[place].add(value, ordering: .relaxed) }

    func value(at place: Int) -> UInt64 { unsafe values[place].load(ordering: .relaxed) }
}

extension LinkError.Code {
    /// Stands for all codes that are not counted by themselves.
    static let other = LinkError.Code(rawValue: -1)

    /// The name of the code in counters: "other" for all that are not counted by themselves.
    package var countedName: String { self == .other ? "other" : description }
}
