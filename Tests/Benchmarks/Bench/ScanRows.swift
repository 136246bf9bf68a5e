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

    /// Starts a host for a directory whose components are loaded at their first calls, 5 times, after one start that
    /// does not count.
    static func start(_ name: String, _ directory: String, target: Double) async -> String {
        var times: [Double] = []
        var (count, mapped) = (0, 0)
        for pass in 0..<6 {
            let before = cpuTime(CLOCK_PROCESS_CPUTIME_ID)
            let host = LinkHost(components: [directory], includesBuiltIn: false)
            await host.start()
            let time = Double(cpuTime(CLOCK_PROCESS_CPUTIME_ID) - before) / 1_000_000
            if pass > 0 { times.append(time) }
            count = host.components.count
            mapped = mappedFiles(in: directory)
            await host.stop()
        }
        return row(
            name, "\(count) files, \(mapped) mapped", milliseconds: times.sorted()[times.count / 2], target: target)
    }

    /// Returns the number of files in a directory that are mapped into the process.
    private static func mappedFiles(in directory: String) -> Int {
        guard let maps = unsafe fopen("/proc/self/maps", "re") else { return -1 }
        defer { unsafe fclose(maps) }
        var files: Set<String> = []
        var line = [CChar](repeating: 0, count: 4096)
        while unsafe fgets(&line, Int32(line.count), maps) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if let start = text.firstIndex(of: "/"), text[start...].hasPrefix(directory + "/") {
                files.insert(String(text[start...]))
            }
        }
        return files.count
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
