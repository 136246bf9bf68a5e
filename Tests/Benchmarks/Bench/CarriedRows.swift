import ComponentHost
import ComponentKit
import Instrumentation

/// The rows for carried context. Measured last, because after the first text every call looks for texts.
struct CarriedRows {
    let host: LinkHost

    func run() throws -> [Measurement] {
        let rows = try rows()
        var measured = try Measurement.run([rows[0]])
        measured += try Measurement.run([rows[1]])
        measured += try Measurement.run([rows[2]])
        measured[2].target = measured[0].nanoseconds + 60
        return measured
    }

    /// The rows in the order in which they must run: the second and the third one carry a text.
    func rows() throws -> [Row] {
        let mixed = try host.bind("BenchLink", "mixed")
        let payload = CallRows.payload
        let calls = { (count: Int) in
            for _ in 0..<count { _ = try mixed(payload) }
        }
        func context() -> ServiceContext {
            var context = ServiceContext.topLevel
            context.carried["tenant"] = "acme"
            return context
        }
        return [
            Row("carried-before", "bound, before anything was carried", count: 1_000_000, calls),
            Row("carried-none", "bound, nothing carried, where calls have to look", count: 1_000_000) { count in
                _ = context()
                try calls(count)
            },
            Row("carried-one", "bound, one text carried", count: 1_000_000) { count in
                try ServiceContext.withValue(context()) { try calls(count) }
            },
        ]
    }
}
