import ComponentKit
import TestSupport
import Testing

@testable import hslink

@Suite("Dates on the command line")
struct CallDateTests {
    private static let moment = Timestamp(seconds: 1_700_000_000, nanoseconds: 500_000_000)

    @Test(
        "text is a date where the parameter is one",
        arguments: [
            ("Date", "when=2023-11-14T22:13:20.5Z", Payload(moment)),
            ("Date?", "when=2023-11-14T23:13:20.5+01:00", Payload(moment)),
            ("Foundation.Date = .now", #"{"when": "2023-11-14T22:13:20.5Z"}"#, Payload(moment)),
            ("Date?", "when=null", .null),
            ("[Date]", #"when=["2023-11-14T22:13:20.5Z"]"#, .array([Payload(moment)])),
            ("[String: Date]", #"when={"a": "2023-11-14T22:13:20.5Z"}"#, .map([("a", Payload(moment))])),
            ("Date", #"when={"$date": "2023-11-14T22:13:20.5Z"}"#, Payload(moment)),
            ("String", "when=2023-11-14T22:13:20.5Z", "2023-11-14T22:13:20.5Z"),
        ] as [(String, String, Payload)])
    func given(type: String, argument: String, value: Payload) throws {
        #expect(try PayloadArguments([argument]).payload(types: ["when": type])["when"] == value)
    }

    @Test("other text is refused with the form of a time", arguments: ["when=tomorrow", "when=2023-11-14"])
    func refused(argument: String) throws {
        let error = #expect(throws: UsageError.self) {
            try PayloadArguments([argument]).payload(types: ["when": "Date"])
        }
        #expect(error?.message.hasPrefix("when: expected a time as in 2026-01-31T12:30:00Z or ") == true)
    }

    @Test("dates are printed as text without zeros at the end of the fraction, and with --json as they are")
    func shown() async throws {
        let whole: Payload = ["a": .array([.date(Timestamp(seconds: 1_700_000_010)), .date(Self.moment)])]
        #expect(
            whole.withReadableDates == ["a": .array(["2023-11-14T22:13:30Z", "2023-11-14T22:13:20.5Z"])])
        try await withPlugins("CGood") { plugins async throws in
            let call = ["call", "CGoodLink", "types", "--class-method", "--plugins", plugins.path]
            let run = try await hslink(call)
            #expect(run.standardOutput.contains(#""date": "2023-11-14T22:13:20.123456789Z""#), "\(run)")
        }
    }
}
