import ComponentHost
import Glibc

/// The rows for finding components.
enum ScanRows {
    /// Scans a directory 5 times, after one scan that does not count.
    static func scan(_ name: String, _ directory: String, target: Double) -> String {
        var times: [Double] = []
        var found = 0
        for pass in 0..<6 {
            let before = cpuTime(CLOCK_PROCESS_CPUTIME_ID)
            let catalog = CatalogScanner.scan([directory])
            let time = Double(cpuTime(CLOCK_PROCESS_CPUTIME_ID) - before) / 1_000_000
            if pass > 0 { times.append(time) }
            found = catalog.entries.count + catalog.rejectedFiles.count
        }
        let median = times.sorted()[times.count / 2]
        return row(name, "\(found) files", milliseconds: median, target: target)
    }

    private static func row(_ name: String, _ found: String, milliseconds: Double, target: Double) -> String {
        let time = "\((milliseconds * 100).rounded() / 100) ms"
        let verdict = milliseconds <= target ? "ok" : "missed"
        return "\(pad(name, 46)) \(pad(time, 11)) \(pad(found, 17))\(pad(verdict, 7))≤ \(Int(target)) ms"
    }
}

/// The text, filled with spaces to a width.
func pad(_ text: String, _ width: Int) -> String {
    text.count >= width ? text : text + String(repeating: " ", count: width - text.count)
}
