import ComponentKit
import Testing

/// One row of the table of fixtures that load: a call and its answer.
struct FixtureCase: Sendable, CustomTestStringConvertible {
    /// The name of the fixture, whose class has the suffix `Link`.
    var fixture: String
    var selector = "run"
    var payload: Payload = .null
    var kind = SelectorKind.class
    /// Fixtures that it needs.
    var others: [String] = []
    /// The value, if the call is performed.
    var value: Payload?
    /// The error's code, if it is not performed.
    var code: LinkError.Code?
    /// The parts that the error's message must have.
    var message: [String] = []
    /// The domain and number, if the fixture sets them.
    var domain = ""
    var number: Int32?

    var className: String { "\(component)Link" }
    var testDescription: String { "\(fixture).\(selector)" }

    /// Both versions of Versioned are one component.
    private var component: String { fixture.hasPrefix("Versioned") ? "Versioned" : fixture }

    static func performed(
        _ fixture: String, _ selector: String = "run", _ payload: Payload = .null, kind: SelectorKind = .class,
        with others: [String] = [], gives value: Payload
    ) -> FixtureCase {
        FixtureCase(
            fixture: fixture, selector: selector, payload: payload, kind: kind, others: others, value: value)
    }

    static func failed(
        _ fixture: String, _ selector: String = "run", kind: SelectorKind = .class, code: LinkError.Code,
        _ message: String..., domain: String = "", number: Int32? = nil
    ) -> FixtureCase {
        FixtureCase(
            fixture: fixture, selector: selector, kind: kind, code: code, message: message, domain: domain,
            number: number)
    }

    /// Compares an answer with the row.
    func check(_ answer: Answer) {
        #expect(answer.returnValue == value)
        #expect(answer.performSuccess == (value != nil))
        #expect(answer.classIsLoad)
        #expect(answer.error?.code == code)
        guard let error = answer.error else { return }
        #expect(error.className == className)
        #expect(error.selector == selector)
        #expect(error.component == component)
        #expect(error.domain == domain)
        if let number { #expect(error.number == number) }
        for part in message { #expect(error.message.contains(part), "\(error.message)") }
    }
}

extension FixtureCase {
    static let sound: [FixtureCase] = [
        performed("Beside", gives: "from beside"),
        performed("FutureMinor", gives: true),
        performed("FutureMinor", "again", gives: true),
        performed("VersionedOld", "version", gives: "1.0.0"),
        performed("VersionedNew", "version", gives: "2.0.0"),
        performed("NeedsOptional", "hasNotThere", gives: false),
        performed("CreateCallsBack", "answer", with: ["CGood"], gives: 42),
        performed("CreateCallsItself", "answer", gives: ["answered": true, "code": 13]),
        performed("SlowCreate", "created", gives: 1),
        performed("Marks", gives: true),
        performed("StopTracker", "sleep", gives: true),
        performed("RepliesLate", "sleep", ["seconds": 0, "data": .bytes([1, 2, 250])], gives: 253),
        performed("RepliesLate", "sleep", ["data": "az"], kind: .object, gives: 219),
        performed("LateThread", "later", gives: "from another thread"),
        performed("LateThread", "lateReplies", gives: 0),
        performed("MakeFails", "plain", gives: true),
        performed("MakeReturnsNothing", "plain", gives: true),
        performed("RepliesTwice", gives: 1),
        performed("OddValues", "uint", gives: 7),
    ]

    static let misbehaving: [FixtureCase] = [
        failed("MakeFails", kind: .object, code: .methodFailed, "could not create an instance", "the disk is full"),
        failed("MakeReturnsNothing", kind: .object, code: .methodFailed, "could not create an instance"),
        failed("SaysReplied", code: .noReply, "reported that it had replied, but had not"),
        failed("OddReturn", code: .noReply, "77"),
        failed("BadUtf8", code: .invalidReply, "UTF-8"),
        failed("BadUtf8", "overlong", code: .invalidReply, "UTF-8"),
        failed("BadUtf8", "surrogate", code: .invalidReply, "UTF-8"),
        failed("BadUtf8", "truncated", code: .invalidReply, "UTF-8"),
        failed("BadUtf8", "beyond", code: .invalidReply, "UTF-8"),
        failed("BadKeyUtf8", code: .invalidReply, "key in UTF-8"),
        failed("DuplicateKeys", code: .invalidReply, "unique keys", "\"a\" twice"),
        failed("Cycle", code: .invalidReply, "at most 64 levels"),
        failed("Cycle", "map", code: .invalidReply, "at most 64 levels"),
        failed("DeepNesting", code: .invalidReply, "at most 64 levels"),
        failed("Exponential", code: .invalidReply, "at most 1000000 values"),
        failed("HugeLength", "array", code: .invalidReply, "at most 1000000 values", "4294967295"),
        failed("HugeLength", "map", code: .invalidReply, "at most 1000000 values", "4294967295"),
        failed("HugeLength", "string", code: .invalidReply, "at most 268435456 bytes"),
        failed("HugeLength", "bytes", code: .invalidReply, "at most 268435456 bytes"),
        failed("HugeLength", "key", code: .invalidReply, "at most 268435456 bytes"),
        failed("NullItems", "array", code: .invalidReply, "expected 3 items", "a null pointer"),
        failed("NullItems", "map", code: .invalidReply, "expected 3 items", "a null pointer"),
        failed("NullItems", "string", code: .invalidReply, "a string of 3 bytes", "a null pointer"),
        failed("NullItems", "bytes", code: .invalidReply, "3 bytes", "a null pointer"),
        failed("NullItems", "key", code: .invalidReply, "a key of 3 bytes", "a null pointer"),
        failed("NullObject", code: .invalidReply, "expected object, found a null pointer"),
        failed("ObjectWithoutType", code: .invalidReply, "an object without a type"),
        failed("ObjectWithoutType", "smallType", code: .invalidReply, "object"),
        failed("ObjectWithoutType", "emptyType", code: .invalidReply, "object"),
        failed("OddValues", "date", code: .invalidReply, "nanoseconds below 1000000000"),
        failed("BadErrors", "text", code: .methodFailed, "not UTF-8: \u{FFFD}\u{FFFD}"),
        failed("BadErrors", "cycle", code: .methodFailed, "its cause is itself"),
        failed("BadErrors", "details", code: .methodFailed, "its details contain themselves"),
        failed("BadErrors", "small", code: .methodFailed, "the method failed"),
        failed("BadErrors", "null", code: .methodFailed, "(a string of 3 bytes)"),
    ]
}
