import CHSLink
import Foundation
import Testing

@testable import ComponentKit

@Suite("Errors over the boundary")
struct ErrorTests {
    static let errors: [LinkError] = [
        LinkError(.classNotFound),
        LinkError(.stopped, message: "gone", className: "Class", selector: "selector", component: "Component"),
        LinkError(domain: "com.example", number: -7, message: "Grüße\u{0}🙂", details: ["list": [1, 2.5, nil, "x"]]),
        LinkError(.notLoaded, cause: LinkError(.cannotLink, message: "libx.so: not found", details: [:])),
        LinkError(.methodFailed, message: "outer", cause: LinkError(domain: "inner", number: .max, message: "inner")),
        LinkError(LinkError.Code(rawValue: 4711), message: "of a later revision"),
        LinkError(LinkError.Code(rawValue: .min)),
    ]

    @Test("arrive as they were sent", arguments: errors)
    func roundTrip(error: LinkError) {
        let copy = unsafe error.withUnsafeError { unsafe LinkError(copying: $0) }
        expectEqual(copy, error)
    }

    private func expectEqual(_ copy: LinkError, _ error: LinkError) {
        #expect(copy.code == error.code)
        #expect(copy.number == error.number)
        #expect(copy.domain == error.domain)
        #expect(copy.message == error.message)
        #expect(copy.className == error.className)
        #expect(copy.selector == error.selector)
        #expect(copy.component == error.component)
        #expect(copy.details == error.details)
        #expect(copy.description == error.description)
        #expect((copy.cause == nil) == (error.cause == nil))
        if let cause = copy.cause, let original = error.cause { expectEqual(cause, original) }
    }

    @Test("keep eight causes of a longer chain", arguments: [0, 1, 8, 9, 100])
    func chain(length: Int) {
        var error = LinkError(.methodFailed, message: "0")
        for level in 0..<length { error = LinkError(.methodFailed, message: "\(level + 1)", cause: error) }
        var copy = unsafe error.withUnsafeError { unsafe LinkError(copying: $0) }
        #expect(copy.message == "\(length)")
        var causes = 0
        while let cause = copy.cause {
            causes += 1
            #expect(cause.message == "\(length - causes)")
            copy = cause
        }
        #expect(causes == min(length, 8))
    }

    @Test("a cyclic chain ends")
    func cycle() {
        // The error borrows its message.
        let copy = unsafe "again".withCString { message in
            var error = unsafe hslink_error_make(6, message)
            return unsafe withUnsafeMutablePointer(to: &error) { pointer in
                unsafe pointer.pointee.cause = unsafe UnsafePointer(pointer)
                return unsafe LinkError(copying: pointer)
            }
        }
        #expect(copy.message == "again")
        #expect(copy.cause?.cause?.message == "again")
    }

    @Test("members beyond the sender's size are not read", arguments: [0, 4, 8, 24, 40, 88, 96, 104, 1000])
    func size(size: Int) {
        let full = LinkError(
            .stuck, message: "message", className: "Class", selector: "selector", component: "Component",
            details: 1, cause: LinkError(.cancelled))
        let copy = unsafe full.withUnsafeError { pointer in
            var error = unsafe pointer.pointee
            unsafe error.struct_size = UInt32(size)
            return unsafe LinkError(copying: &error)
        }
        #expect(copy.code.rawValue == (size >= 8 ? 9 : 0))
        #expect(copy.message == (size >= 40 ? "message" : copy.code.sentence))
        #expect(copy.className == (size >= 88 ? "Class" : ""))
        #expect(copy.details == (size >= 96 ? 1 : nil))
        #expect(copy.cause?.code == (size >= 104 ? .cancelled : nil))
    }

    @Test("broken details are left out, the error stays")
    func details() {
        var broken = unsafe hslink_array(nil, 2)
        let copy = unsafe "kept".withCString { message in
            var error = unsafe hslink_error_make(5, message)
            return unsafe withUnsafePointer(to: &broken) { details in
                unsafe error.details = unsafe details
                return unsafe LinkError(copying: &error)
            }
        }
        #expect(copy.message == "kept")
        #expect(copy.code == .payloadMismatch)
        #expect(copy.details == nil)
    }

    @Test("text that is not UTF-8 is repaired")
    func text() {
        let bytes: [UInt8] = [0x61, 0xFF, 0x62]
        let copy = unsafe bytes.withUnsafeBytes { bytes in
            var error = unsafe hslink_error_make(6, "")
            unsafe error.message = unsafe hslink_string(
                utf8: bytes.baseAddress?.assumingMemoryBound(to: CChar.self), length: 3)
            return unsafe LinkError(copying: &error)
        }
        #expect(copy.message == "a\u{FFFD}b")
    }

    @Test("a thrown error becomes an error that describes it")
    func thrown() throws {
        let own = LinkError(domain: "own", number: 1, message: "own")
        #expect(LinkError(thrown: own).domain == "own")
        #expect(LinkError(thrown: CancellationError()).code == .cancelled)
        struct Strange: Error, CustomStringConvertible { let description = "strange" }
        let strange = LinkError(thrown: Strange())
        #expect(strange.code == .methodFailed)
        #expect(strange.message == "strange")
        #expect(strange.domain.hasSuffix("Strange"))
        do {
            _ = try Payload("text").int()
        } catch {
            #expect(LinkError(thrown: error).code == .payloadMismatch)
            #expect(LinkError(thrown: error).message == error.description)
        }
    }

    @Test(
        "a thrown error is told in the words of its type, else in those of its names",
        arguments: [
            (Told.notFound, "not found"), (Told.unknown(id: 7), "unknown: id 7"),
            (Told.tooBig("film", limit: 2), "too big: film, limit 2"), (Told.refused(true), "refused: true"),
            (HTTPFailure(code: 404), "HTTP failure: code 404"),
            (FileMissing(path: "a.txt"), "file missing: path a.txt"), (NothingLeft(), "nothing left"),
            (ShopError(reason: nil, advice: nil), "The shop is closed"),
            (ShopError(reason: "it is Sunday", advice: nil), "The shop is closed: it is Sunday"),
            (
                ShopError(reason: "it is Sunday", advice: "come back tomorrow"),
                "The shop is closed: it is Sunday; come back tomorrow"
            ),
            (
                ShopError(text: "The shop is closed.", reason: "It is Sunday.", advice: "Come back tomorrow."),
                "The shop is closed. It is Sunday. Come back tomorrow."
            ),
            (ShopError(text: nil, reason: "closed", advice: nil), "as text: closed"),
        ] as [(any Error, String)])
    func words(error: any Error, message: String) {
        #expect(LinkError(thrown: error).message == message)
    }

    @Test("an error that is a model is told with the name of the model")
    func model() {
        let error = LinkError(thrown: SoldOut.item(id: 7))
        #expect(error.description == "item: id 7 (Shop.SoldOut)")
        #expect(LinkError(domain: "model", number: 3, message: "m").description == "m (model 3)")
    }

    @Test("names are filled in only if they are missing")
    func naming() {
        let named = LinkError(.stopped, message: "m", details: 1).naming(className: "C", selector: "s", component: "K")
        #expect(named.description == "s of C in K: m")
        #expect(named.details == 1)
        let again = named.naming(className: "X", selector: "x", component: "X")
        #expect(again.description == named.description)
        let own = LinkError(domain: "d", number: 3, message: "m").naming(className: "C", selector: "s", component: "K")
        #expect(own.domain == "d")
        #expect(own.number == 3)
        // The selector of the call is none of the class that the error is about.
        let passedOn = LinkError(.notLoaded, message: "m", className: "Other")
            .naming(className: "C", selector: "s", component: "K")
        #expect(passedOn.description == "Other: m")
        #expect(passedOn.classIsLoad)
    }

    @Test(
        "the error of a client that can't be made names a method only if that is missing",
        arguments: [
            (LinkError.Code.notLoaded, "LedgerLink: m"), (.classNotFound, "LedgerLink: m"),
            (.selectorNotFound, "add of LedgerLink: m"),
        ])
    func client(code: LinkError.Code, expected: String) {
        let service = __ServiceDescription(name: "com.example.ledger/1", protocolName: "Ledger", selectors: ["add"])
        let link = Link(NoBackend(bindError: LinkError(code, message: "m", className: "LedgerLink", selector: "add")))
        let error = #expect(throws: LinkError.self) {
            try __ServiceEndpoint(service, of: "LedgerLink", link, through: .calls)
        }
        #expect(error?.description == expected)
    }

    @Test("a report of a failure is copied")
    func report() {
        let report = FailureReport()
        #expect(report.error == nil)
        unsafe report.withUnsafeFailure { failure in
            unsafe LinkError(.createFailed, message: "first").withUnsafeError {
                unsafe failure.pointee.report(failure.pointee.context, $0)
            }
            unsafe LinkError(.createFailed, message: "last").withUnsafeError {
                unsafe failure.pointee.report(failure.pointee.context, $0)
            }
        }
        #expect(report.error?.message == "last")
        #expect(report.error?.code == .createFailed)
    }

    @Test("strings make a round trip", arguments: ["", "a", "Grüße\u{0}x", String(repeating: "🙂", count: 1000)])
    func strings(text: String) {
        #expect(unsafe text.withLinkString { unsafe String($0) } == text)
        #expect(unsafe text.withLinkString { unsafe $0.length } == text.utf8.count)
        #expect(unsafe String(hslink_string(constant: text)) == text)
        #expect(unsafe String(hslink_string(utf8: nil, length: 0)) == "")
    }

    @Test(
        "an error is named after the component that it is about",
        arguments: [
            ("", "Mine", "Owner"), ("Mine", "Mine", "Owner"),
            // A method passed it on.
            ("Other", "Mine", ""),
            // The start of a component failed with it.
            ("Other", "", "Owner"),
        ])
    func namedComponent(of: String, in className: String, component: String) {
        let error = LinkError(code: .classNotFound, className: of, selector: "run")
        #expect(error.naming(className: className, selector: "run", component: "Owner").component == component)
    }
}

private enum Told: Error {
    case notFound
    case unknown(id: Int)
    case tooBig(String, limit: Int)
    case refused(Bool)
}

private struct HTTPFailure: Error { let code: Int }

private struct FileMissing: Error { let path: String }

private struct NothingLeft: Error {}

private struct ShopError: LocalizedError, CustomStringConvertible {
    var text: String? = "The shop is closed"
    let reason: String?
    let advice: String?

    var errorDescription: String? { text }
    var failureReason: String? { reason }
    var recoverySuggestion: String? { advice }
    var description: String { "as text" }
}

private enum SoldOut: ModelError {
    case item(id: Int)

    static let modelName = "Shop.SoldOut"

    var payload: Payload { "item" }

    init(payload: borrowing PayloadView) throws(PayloadError) { self = .item(id: 0) }
}
