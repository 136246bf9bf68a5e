import CAllocations
import Glibc

/// One row of the result: CPU time and allocations of the calling thread for each call.
struct Measurement {
    var name: String
    var nanoseconds: Double
    var allocations: Double
    var target: Double?

    /// Runs `body` for `count` calls in each of seven passes, after one that does not count.
    ///
    /// - Returns: the median pass.
    static func run(
        _ name: String, count: Int, target: Double? = nil, _ body: (Int) throws -> Void
    ) rethrows -> Measurement {
        try body(max(count / 10, 1))
        var times: [Double] = []
        var allocations = 0.0
        for _ in 0..<7 {
            let allocationsBefore = allocations_of_this_thread()
            let before = cpuTime(CLOCK_THREAD_CPUTIME_ID)
            try body(count)
            times.append(Double(cpuTime(CLOCK_THREAD_CPUTIME_ID) - before) / Double(count))
            allocations = Double(allocations_of_this_thread() - allocationsBefore) / Double(count)
        }
        return Measurement(
            name: name, nanoseconds: times.sorted()[3], allocations: allocations, target: target)
    }
}

/// Nanoseconds of a clock.
func cpuTime(_ clock: clockid_t) -> Int {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Resident memory of the process in kB.
func residentMemory() -> Int {
    guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard unsafe fgets(&line, 128, file) != nil else { return 0 }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let fields = text.split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4 : 0
}
