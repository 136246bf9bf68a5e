import ComponentHost
import ComponentKit
import ForeignFunctions
import Testing

@Suite("Variables of libraries")
struct VariableTests {
    @Test("are read as they are")
    func values() async throws {
        try await withLibraries("plain") { host async throws in
            for (name, value) in [
                ("plain_motto", "plain and simple"), ("plain_author", "nobody"), ("plain_level", 3),
                ("plain_last", ["code": -5, "message": "the last"]), ("plain_primes", [2, 3, 5, 7]),
            ] as [(String, Payload)] {
                #expect(try await host.call("Plain", name) == value, "\(name)")
            }
            _ = try await host.call("Plain", "plain_raise")
            #expect(try await host.call("Plain", "plain_level") == 4)
            let given = await failure { try await host.call("Plain", "plain_level", ["value": 5]) }
            #expect(given?.message == "a variable has no parameters")
        }
    }

    @Test("that are pointers without a meaning, or are missing, are errors with reasons")
    func refused() async throws {
        try await withLibraries("plain") { host async throws in
            let pointer = await failure { try await host.call("Plain", "plain_anything") }
            #expect(pointer?.code == .selectorNotFound)
            #expect(pointer?.message.contains("of the type void * cannot be read") == true)
            let missing = await failure { try await host.call("Plain", "plain_absent_value") }
            #expect(missing?.code == .selectorNotFound && missing?.message.contains("plain_absent_value") == true)
        }
    }
}
