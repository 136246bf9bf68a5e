import ComponentHost
import ComponentKit
import ForeignFunctions
import Testing

@Suite("Errors in the place of an argument")
struct ErrorArgumentTests {
    @Test("fail the call with their number and message, and are freed")
    func failures() async throws {
        try await withLibraries("plain") { host async throws in
            #expect(try await host.call("Plain", "plain_try", ["code": 0]) == 1)
            for (code, message) in [(7, "as asked"), (-1, "plain_try reports an error")] {
                let error = await failure { try await host.call("Plain", "plain_try", ["code": Payload(code)]) }
                #expect(error?.code == .methodFailed && error?.domain == "plain")
                #expect(error?.number == Int32(code) && error?.message == message)
            }
            #expect(try await host.call("Plain", "plain_open_failures") == 0)
        }
    }

    @Test("may be a text")
    func texts() async throws {
        try await withLibraries("plain") { host async throws in
            #expect(try await host.call("Plain", "plain_complain", ["isWrong": 0]) == 0)
            let error = await failure { try await host.call("Plain", "plain_complain", ["isWrong": 1]) }
            #expect(error?.message == "that is wrong" && error?.number == 1)
        }
    }

    @Test("are not passed by callers")
    func unknown() async throws {
        try await withLibraries("plain") { host async throws in
            let error = await failure { try await host.call("Plain", "plain_try", ["code": 0, "failure": .null]) }
            #expect(error?.code == .payloadMismatch)
            #expect(error?.message.contains("failure") == true, "\(String(describing: error))")
        }
    }

    @Test(
        "that cannot be read are refused",
        arguments: [
            (#""value": "error unless null", "error": "out""#, "needs a pointer to a pointer"),
            (#""error": "error unless null message error->mesage""#, #"no field "mesage"; did you mean "message"?"#),
            (#""error": "error unless null message eror->message""#, #"no parameter "eror"; did you mean "error"?"#),
            (#""error": "error unless null message value->message""#, "does not point to a struct"),
            (#""error": "error unless null message error->pair""#, "neither an integer nor a pointer"),
            (#""error": "out string error unless null""#, "an error can only have \"free\" in addition"),
            (#""error": "error unless null message value""#, #""message" needs a string"#),
            (#""error": "error unless null message error->code""#, #""message" needs a string"#),
            (#""error": "error unless null nullable""#, "an error can only have"),
            (#""error": "error unless null", "error.message": "string""#, "an error can only have"),
            (#""error": "error if value""#, "compares with numbers only"),
        ])
    func refused(annotation: String, reason: String) throws {
        let json = """
            {"name": "x", "version": "1.0.0", "library": "libx.so", "class": "X", "declarations": [
                "typedef struct { int x, y; } Pair; typedef struct { char *message; Pair pair; int code; } Error;",
                "int f(int value, Error **error);"], "annotations": {"f": {\(annotation)}}}
            """
        let description = try LibraryDescription(Payload(json: json))
        let found = try #require(description.refusals.first { $0.name == "f" })
        #expect(found.reason.contains(reason), "\(found.reason)")
    }
}
