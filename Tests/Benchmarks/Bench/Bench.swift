import ComponentHost
import ComponentKit
import Glibc

/// Measures the public API on both sides of the boundary, in one run, so that ratios hold.
///
///     hslink-bench PLUGINS [--manifests DIR] [--python SCRIPT] [--memory CALLS] [--profile bound|named|missing|async]
@main
struct Bench {
    static func main() async throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        guard !arguments.isEmpty else {
            print(
                "usage: hslink-bench PLUGINS [--manifests DIR] [--memory CALLS] [--profile bound|named|missing|async]")
            exit(64)
        }
        let plugins = arguments.removeFirst()
        let host = LinkHost(components: [plugins], includesBuiltIn: false)
        var options: [String: String] = [:]
        while arguments.count >= 2 {
            options[arguments[0]] = arguments[1]
            arguments.removeFirst(2)
        }
        if options["--profile"] == "control" {
            for row in try await ControlRows(host: host).run() { printRow(row) }
            return
        }
        if options["--profile"] == "async" {
            try await TypedRows(host: host).profile()
            return
        }
        if let row = options["--profile"] {
            try onThread { try CallRows(host: host).profile(row) }
            return
        }
        let rows = try onThread { try CallRows(host: host).run() }
        print("CPU time per call, median of 7 passes\n")
        for row in rows { printRow(row) }
        let bound = rows.first { $0.name == "bound, prepared payload" }?.nanoseconds ?? 0
        for row in try CallRows(host: host).twoThreads() {
            var row = row
            row.target = bound * 1.5
            printRow(row)
        }
        print("\ntyped calls and models\n")
        for row in try onThread({ try TypedRows(host: host).run() }) { printRow(row) }
        for row in try await TypedRows(host: host).runAwaited() { printRow(row) }
        for row in try onThread({ try TypedRows(host: host).runCoding() }) { printRow(row) }
        let library = "\(plugins)/libPlainFunctions.so"
        if host.isAvailable("BenchPlain", "plain_mixed") {
            print("\na C function of an integer, a double and a pointer\n")
            for row in try onThread({ try ForeignRows(host: host, library: library).run() }) { printRow(row) }
            for row in ForeignRows.python(options["--python"] ?? "", library) { printRow(row) }
        }
        print("\nthe control socket\n")
        for row in try await ControlRows(host: host).run() { printRow(row) }
        print("\nlooking through a directory, CPU time, median of 5\n")
        if let manifests = options["--manifests"] {
            print(ScanRows.scan("1,000 manifests of 2 kB", manifests, target: 30))
        }
        print(ScanRows.scan("the gconv modules of the system", gconvDirectory(), target: 5))
        if let calls = options["--memory"].flatMap(Int.init) {
            try await MemoryRun(host: host).run(calls: calls)
        }
        await host.stop()
    }

    private static func printRow(_ row: Measurement) {
        let time = "\((row.nanoseconds * 10).rounded() / 10) ns"
        let allocations =
            row.allocations.isNaN ? "" : "\((row.allocations * 100).rounded() / 100) allocations"
        var line = "\(pad(row.name, 52)) \(pad(time, 12)) \(pad(allocations, 20))"
        if let target = row.target {
            line += "≤ \(Int(target.rounded())) \(row.nanoseconds <= target ? "reached" : "missed")"
        }
        print(line)
    }

    /// Blocking calls have no place on Swift's pool.
    private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        let box = ResultBox<Value>()
        try BenchThread { box.fill(Result { try body() }) }.join()
        return try box.take()
    }

    private static func gconvDirectory() -> String {
        #if arch(arm64)
            "/usr/lib/aarch64-linux-gnu/gconv"
        #else
            "/usr/lib/x86_64-linux-gnu/gconv"
        #endif
    }
}
