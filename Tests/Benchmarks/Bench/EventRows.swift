import BenchContract
import ComponentHost
import ComponentKit

/// The rows for events: to ten quick handlers in five classes of a component, and to nobody.
enum EventRows {
    static func run(_ host: LinkHost) throws -> [Measurement] {
        try host.load("BenchComponent")
        return try Measurement.run(rows(host))
    }

    static func rows(_ host: LinkHost) -> [Row] {
        let payload: Payload = ["number": 1]
        return [
            Row("post-10", "post to ten quick handlers", count: 10_000, goal: .nanoseconds(2_000)) { calls in
                for index in 0..<calls { host.events.post(BenchEvent(number: index)) }
            },
            Row("post-nobody", "post to nobody, typed", count: 1_000_000, goal: .nanoseconds(50)) { calls in
                for index in 0..<calls { host.events.post(IgnoredEvent(number: index)) }
            },
            Row("post-nobody-named", "post to nobody, by name", count: 100_000) { calls in
                for _ in 0..<calls { host.events.post("org.hslink.bench/ignored", payload) }
            },
        ]
    }
}
