import ComponentHost
import ComponentKit
import Glibc
import Synchronization

/// Measures the public API on both sides of the boundary, in one run, so that ratios hold.
///
///     hslink-bench PLUGINS [--baseline FILE] [--manifests DIR] [--python SCRIPT] [--memory CALLS]
///     hslink-bench PLUGINS [--baseline FILE] --run ROW --calls N
///     hslink-bench PLUGINS [--manifests DIR] --run control|scan|carried|routing
///
/// The second form makes N calls of one row and measures nothing, for tools that count instructions. The third form
/// measures one group of rows.
@main
struct Bench {
    static func main() async throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        guard !arguments.isEmpty else {
            print(
                "usage: hslink-bench PLUGINS [--baseline FILE] [--manifests DIR] [--memory CALLS] [--run ROW --calls N]"
            )
            exit(64)
        }
        let plugins = arguments.removeFirst()
        let host = LinkHost(components: [plugins], includesBuiltIn: false)
        var options: [String: String] = [:]
        while arguments.count >= 2 {
            options[arguments[0]] = arguments[1]
            arguments.removeFirst(2)
        }
        switch options["--run"] {
        case "control":
            for row in try await ControlRows(host: host).run() { printRow(row) }
            return
        case "scan":
            print(ScanRows.scan("1,000 manifests of 2 kB", options["--manifests"] ?? "", target: 15))
            print(await ScanRows.start("a host that starts", options["--start"] ?? "", target: 20))
            return
        case "carried":
            for row in try onThread({ try CarriedRows(host: host).run() }) { printRow(row) }
            return
        case "routing":
            for row in try onThread({ try RoutingRows.run(host) }) { printRow(row) }
            return
        case "events":
            for row in try onThread({ try EventRows.run(host) }) { printRow(row) }
            return
        case "pages":
            for row in try onThread({ try Measurement.run(PageRows.rows()) }) { printRow(row) }
            for row in try await AwaitedRow.run(PageRows.pages(host)) { printRow(row) }
            return
        default: break
        }
        let baseline = try options["--baseline"].map { try Baseline($0) }
        let calls = CallRows(host: host, baseline: baseline)
        if let row = options["--run"] {
            try await run(row, calls, host, count: options["--calls"].flatMap(Int.init) ?? 1)
            return
        }
        let rows = try onThread { try calls.groups().flatMap { try Measurement.run($0) } }
        print("CPU time per call, median of \(Measurement.passCount) passes; rows with a yardstick run beside it\n")
        for row in rows { printRow(row) }
        let bound = rows.first { $0.name == CallRows.bound }?.nanoseconds ?? 0
        printRow(try calls.twoThreads(bound: bound))
        print("\nawaited calls, CPU time of the process\n")
        for row in try await AwaitedRow.run(AwaitRows(host: host).rows()) { printRow(row) }
        print("\ntyped calls and models\n")
        for row in try onThread({ try Measurement.run(TypedRows(host: host).rows()) }) { printRow(row) }
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
            print(ScanRows.scan("1,000 manifests of 2 kB", manifests, target: 15))
            print(await ScanRows.start("a host that starts", options["--start"] ?? "", target: 20))
        }
        print(ScanRows.scan("the gconv modules of the system", gconvDirectory(), target: 5))
        print("\nwhat a call carries along\n")
        for row in try onThread({ try CarriedRows(host: host).run() }) { printRow(row) }
        print("\nroutes\n")
        for row in try onThread({ try RoutingRows.run(host) }) { printRow(row) }
        print("\nevents\n")
        for row in try onThread({ try EventRows.run(host) }) { printRow(row) }
        print("\nviews and pages\n")
        for row in try onThread({ try Measurement.run(PageRows.rows()) }) { printRow(row) }
        for row in try await AwaitedRow.run(PageRows.pages(host)) { printRow(row) }
        if let calls = options["--memory"].flatMap(Int.init) {
            try await MemoryRun(host: host).run(calls: calls)
        }
        if CallRows.unexpected.load(ordering: .relaxed) > 0 {
            print("\n\(CallRows.unexpected.load(ordering: .relaxed)) answers were not as expected")
        }
        await host.stop()
    }

    /// Runs one row only.
    private static func run(_ identifier: String, _ calls: CallRows, _ host: LinkHost, count: Int) async throws {
        let awaited = try AwaitRows(host: host).rows() + PageRows.pages(host)
        if let row = awaited.first(where: { $0.identifier == identifier }) {
            try await row.body(count)
            return
        }
        let found = try onThread {
            let rows =
                try calls.groups().flatMap(\.self) + TypedRows(host: host).rows() + RoutingRows.opening(host)
                + EventRows.rows(host) + PageRows.rows() + CarriedRows(host: host).rows()
            guard let row = rows.first(where: { $0.identifier == identifier }) else {
                print("no row \(identifier); there are \(rows.map(\.identifier).joined(separator: ", "))")
                return false
            }
            try row.body(count)
            return true
        }
        if !found { exit(64) }
    }

    private static func printRow(_ row: Measurement) {
        let time = "\(rounded(row.nanoseconds, 10)) ns"
        let allocations = row.allocations.isNaN ? "" : "\(rounded(row.allocations, 100)) allocations"
        var line = "\(pad(row.name, 46)) \(pad(time, 11)) \(pad(allocations, 17))"
        if let target = row.target {
            line += "\(pad(row.nanoseconds <= target ? "ok" : "missed", 7))"
            if let (factor, name, base) = row.yardstick {
                line += "≤ \(factor) × \(name): \(rounded(row.nanoseconds / base, 100))"
            } else {
                line += "≤ \(Int(target.rounded())) ns"
            }
        }
        print(line)
    }

    private static func rounded(_ number: Double, _ steps: Double) -> Double { (number * steps).rounded() / steps }

    /// Blocking calls must not run on Swift's cooperative thread pool.
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
