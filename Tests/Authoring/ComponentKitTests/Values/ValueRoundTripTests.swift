import ComponentKit
import Foundation
import Testing

@Suite("Values that travel")
struct ValueRoundTripTests {
    /// A value and its form as a payload.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let check: @Sendable () throws -> Void

        init<Value: PayloadConvertible & Equatable & Sendable>(_ value: Value, _ payload: Payload) {
            testDescription = "\(Value.self): \(value)"
            check = { () throws in
                #expect(value.payload == payload)
                #expect(try payload.value(as: Value.self) == value)
                let map = Payload(__fields: ("key", value.payload))
                #expect(try map.value("key", as: Value.self) == value)
                #expect(
                    try map.borrowed { view throws(PayloadError) in try view.value("key", as: Value.self) } == value)
                #expect(try map.valueIfPresent("key", as: Value.self) == .some(value))
                #expect(try map.valueIfPresent("other", as: Value.self) == nil)
                #expect(try __LinkCoding.value("key", in: map, as: Value.self) == value)
                #expect(try __LinkCoding.payload(of: value, for: nil as Link?) == payload)
            }
        }
    }

    static let rows: [Row] = [
        Row(true, true), Row(false, false),
        Row(Int.min, .int(.min)), Row(0, 0), Row(Int.max, .int(.max)),
        Row(Int8.min, -128), Row(Int8.max, 127),
        Row(Int16.min, -32768), Row(Int16.max, 32767),
        Row(Int32.min, .int(Int64(Int32.min))), Row(Int32.max, .int(Int64(Int32.max))),
        Row(Int64.min, .int(.min)), Row(Int64.max, .int(.max)),
        Row(UInt8.min, 0), Row(UInt8.max, 255),
        Row(UInt16.max, 65535),
        Row(UInt32.max, .int(Int64(UInt32.max))),
        Row(UInt.max, .uint(.max)), Row(UInt(7), 7),
        Row(UInt64.max, .uint(.max)), Row(UInt64(7), 7),
        Row(0.1, 0.1), Row(-Double.infinity, .double(-.infinity)),
        Row(Double.greatestFiniteMagnitude, .double(.greatestFiniteMagnitude)),
        Row(Float(0.1), .double(Double(Float(0.1)))), Row(Float.infinity, .double(.infinity)),
        Row(Float.greatestFiniteMagnitude, .double(Double(Float.greatestFiniteMagnitude))),
        Row("", ""), Row("é\u{0}😀", "é\u{0}😀"),
        Row(
            Timestamp(seconds: -1, nanoseconds: 999_999_999), .date(Timestamp(seconds: -1, nanoseconds: 999_999_999))),
        Row(Int?.none, nil), Row(Int?.some(3), 3),
        Row([Int](), []), Row([1, 2], [1, 2]),
        Row([nil, "a"] as [String?], [nil, "a"]),
        Row([UInt8](), .bytes([])), Row([0, 255] as [UInt8], .bytes([0, 255])),
        Row([[1], []] as [[UInt8]], [.bytes([1]), .bytes([])]),
        Row(Set<Int>(), []), Row([7] as Set<Int>, [7]),
        Row(["b": 1, "a": 2], ["a": 2, "b": 1]), Row([String: Int](), [:]),
        Row([1: "one", -2: "two"], ["-2": "two", "1": "one"]),
        Row(["k": [nil]] as [String: [Int?]], ["k": [nil]]),
        Row(Data([1, 2, 255]), .bytes([1, 2, 255])), Row(Data(), .bytes([])),
        Row(Data([9, 1, 2])[1...], .bytes([1, 2])),
        Row(Date(timeIntervalSince1970: 1.5), .date(Timestamp(seconds: 1, nanoseconds: 500_000_000))),
        Row(Date(timeIntervalSince1970: -0.25), .date(Timestamp(seconds: -1, nanoseconds: 750_000_000))),
        Row(URL(string: "https://example.com/a?b=c#d"), "https://example.com/a?b=c#d"),
        Row(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
        Row(Duration.milliseconds(-1500), ["seconds": -1, "attoseconds": .int(-500_000_000_000_000_000)]),
        Row(Money(amount: 3, currency: nil), ["amount": 3, "currency": nil]),
    ]

    @Test("every type makes a round trip", arguments: rows)
    func roundTrip(row: Row) throws { try row.check() }

    @Test("payloads and values with NaN make a round trip")
    func odd() throws {
        #expect(try Payload(__fields: ("key", ["a": [1, nil]])).value("key", as: Payload.self) == ["a": [1, nil]])
        #expect(try Double.nan.payload.value(as: Double.self).isNaN)
        #expect(try Float.nan.payload.value(as: Float.self).isNaN)
        #expect(try ([1, 2, 300] as Payload).value(as: [Int].self) == [1, 2, 300])
        #expect(try ([1, 2, 1] as Payload).value(as: Set<Int>.self) == [1, 2])
        #expect(try ([1, 2, 255] as Payload).value(as: [UInt8].self) == [1, 2, 255])
        #expect(try ([1, 2, 255] as Payload).value(as: Data.self) == Data([1, 2, 255]))
        let odd: [Double: Int] = [.nan: 1, .nan: 2]
        #expect(odd.payload.count == 1)
        #expect(try Payload(7).value(as: Double.self) == 7)
    }

    @Test("an object keeps its identity")
    func object() throws {
        let counted = CountedObject()
        do {
            let payload = Payload(__fields: ("object", try counted.node.copy()))
            let object = try payload.value("object", as: LinkObject.self)
            #expect(counted.references == 3)
            #expect(Payload(__fields: ("object", object.payload)) == payload)
            #expect(throws: PayloadError.self) { try payload.value(as: LinkObject.self) }
            extendLifetime(object)
        }
        #expect(counted.references == 1)
    }

    @Test("values beyond the range of nanoseconds or seconds are truncated, and do not trap")
    func beyondRange() throws {
        let last = Payload(Timestamp(seconds: .max, nanoseconds: 999_999_999))
        let first = Payload(Timestamp(seconds: .min))
        #expect(Date(timeIntervalSinceReferenceDate: 1e300).payload == last)
        #expect(Date(timeIntervalSinceReferenceDate: .infinity).payload == last)
        #expect(Date(timeIntervalSinceReferenceDate: -1e300).payload == first)
        #expect(Date(timeIntervalSinceReferenceDate: .nan).payload == nil)
        #expect(try last.value(as: Date.self).timeIntervalSinceReferenceDate > 9e18)
        #expect(try first.value(as: Date.self).timeIntervalSinceReferenceDate < -9e18)
        #expect(Date(timeIntervalSinceReferenceDate: -1e-20).payload == .date(Timestamp(seconds: 978_307_200)))
        #expect(try Duration.seconds(1e19).payload.int("seconds") == .max)
        #expect(try Duration.seconds(-1e19).payload.int("seconds") == .min)
    }

    @Test("every date with whole nanoseconds makes an exact round trip")
    func dates() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<10_000 {
            let ranges: [Double] = [1e3, 1e6, 1e9, 1e12, 1e15]
            let range = ranges.randomElement(using: &generator) ?? 1
            var interval = Double.random(in: -range...range, using: &generator)
            if abs(interval) < 16_777_216 { interval = (interval * 1e9).rounded() / 1e9 }
            let date = Date(timeIntervalSinceReferenceDate: interval)
            #expect(try date.payload.value(as: Date.self) == date, "\(interval)")
        }
    }

    struct Money: PayloadConvertible, Equatable {
        var amount: Int
        var currency: String?

        init(amount: Int, currency: String?) {
            self.amount = amount
            self.currency = currency
        }

        var payload: Payload { Payload(__fields: ("amount", amount.payload), ("currency", currency.payload)) }

        init(payload: borrowing PayloadView) throws(PayloadError) {
            amount = try payload.value("amount")
            currency = try payload.value("currency")
        }
    }
}
