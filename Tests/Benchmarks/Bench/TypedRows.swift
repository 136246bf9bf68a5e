import BenchContract
import ComponentHost
import ComponentKit
import Foundation

/// The rows about services and models.
struct TypedRows {
    let host: LinkHost

    /// Calls that block, on the calling thread.
    func run() throws -> [Measurement] {
        var rows: [Measurement] = []
        var sink = 0.0
        let service = try host.service(BenchServiceClient.self)
        rows.append(
            try .run("typed call, 2 scalars, struct result", count: 500_000, target: 500) { count in
                for _ in 0..<count { sink += try service.area(width: 3, height: 4).square }
            })
        let area = try host.bind("BenchByHand", "area")
        rows.append(
            try .run("the same, provider and caller by hand", count: 500_000) { count in
                for _ in 0..<count {
                    let answer = try area(["width": 3.0, "height": 4.0])
                    sink += try answer.double("square") + answer.double("width") + answer.double("height") - 7
                }
            })
        if sink == 1 { print("") }
        return rows
    }

    /// Calls that are awaited, in the CPU time of the whole process.
    @concurrent func runAwaited() async throws -> [Measurement] {
        let service = try host.service(BenchServiceClient.self)
        return [
            try await awaited("typed call, async provider, no suspension", count: 200_000, target: 1500) {
                _ = try await service.areaSoon(width: 3, height: 4)
            },
            try await awaited("typed call, async provider, suspends once", count: 50_000, target: nil) {
                _ = try await service.areaLater(width: 3, height: 4)
            },
        ]
    }

    /// The awaited call again and again, for a profiler.
    @concurrent func profile() async throws {
        let service = try host.service(BenchServiceClient.self)
        for _ in 0..<2_000_000 { _ = try await service.areaSoon(width: 3, height: 4) }
    }

    private func awaited(
        _ name: String, count: Int, target: Double?, _ body: () async throws -> Void
    ) async throws -> Measurement {
        for _ in 0..<count / 10 { try await body() }
        var times: [Double] = []
        for _ in 0..<5 {
            let before = cpuTime(CLOCK_PROCESS_CPUTIME_ID)
            for _ in 0..<count { try await body() }
            times.append(Double(cpuTime(CLOCK_PROCESS_CPUTIME_ID) - before) / Double(count))
        }
        return Measurement(name: name, nanoseconds: times.sorted()[2], allocations: .nan, target: target)
    }

    /// A struct of ten properties there and back.
    func runCoding() throws -> [Measurement] {
        var sink = 0
        let plain = PlainPerson.sample
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        let json = try Measurement.run("10 fields there and back: JSONEncoder, JSONDecoder", count: 20_000) { count in
            for _ in 0..<count { sink += try decoder.decode(PlainPerson.self, from: encoder.encode(plain)).age }
        }
        let model = Person.sample
        let asModel = try Measurement.run(
            "10 fields there and back: @Model", count: 200_000, target: json.nanoseconds / 20
        ) {
            count in
            for _ in 0..<count { sink += try model.payload.value(as: Person.self).age }
        }
        let asCodable = try Measurement.run(
            "10 fields there and back: Codable", count: 50_000, target: json.nanoseconds / 4
        ) { count in
            for _ in 0..<count {
                sink += try PayloadDecoder().decode(PlainPerson.self, from: PayloadEncoder().encode(plain)).age
            }
        }
        if sink == 1 { print("") }
        return [json, asModel, asCodable]
    }
}
