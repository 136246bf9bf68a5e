import ComponentHost
import ComponentKit
import Instrumentation

/// The rows for carried context. Measured last, because after the first text every call looks for texts.
struct CarriedRows {
    let host: LinkHost

    func run() throws -> [Measurement] {
        let mixed = try host.bind("BenchLink", "mixed")
        let payload = CallRows.payload
        func row(_ name: String) -> Row {
            Row("", name, count: 1_000_000) { count in
                for _ in 0..<count { _ = try mixed(payload) }
            }
        }
        var rows = try Measurement.run([row("bound, before anything was carried")])
        var context = ServiceContext.topLevel
        context.carried["tenant"] = "acme"
        rows += try Measurement.run([row("bound, nothing carried, where calls have to look")])
        rows += try ServiceContext.withValue(context) { try Measurement.run([row("bound, one text carried")]) }
        rows[2].target = rows[0].nanoseconds + 15
        return rows
    }
}
