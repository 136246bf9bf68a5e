import BenchContract
import ComponentHost
import ComponentKit
import Foundation

/// The rows for services and models.
struct TypedRows {
    let host: LinkHost

    /// Calls that block, on the calling thread.
    func rows() throws -> [Row] {
        let service = try host.service(BenchServiceClient.self)
        let area = try host.bind("BenchByHand", "area")
        return [
            Row(
                "typed", "typed call, 2 scalars, struct result", count: 500_000, goal: .nanoseconds(350)
            ) { count in
                for _ in 0..<count { _ = try service.area(width: 3, height: 4) }
            },
            Row("by-hand", "the same, provider and caller by hand", count: 500_000) { count in
                for _ in 0..<count {
                    let answer = try area(["width": 3.0, "height": 4.0])
                    _ = try answer.double("square") + answer.double("width") + answer.double("height")
                }
            },
        ]
    }

    /// The round trip of a struct with ten properties.
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
