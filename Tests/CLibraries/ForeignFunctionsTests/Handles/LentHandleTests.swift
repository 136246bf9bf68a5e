import ComponentHost
import ComponentKit
import ForeignFunctions
import TestSupport
import Testing

@Suite("Handles in callbacks")
struct LentHandleTests {
    @Test("text that C keeps through a lent handle lives on")
    func kept() async throws {
        try await withLibraries("memory") { host async throws in
            let pot = try await host.call("Memory", "memory_pot", ["note": "first"])
            let name = String(repeating: "second", count: 100)
            let visit = host.link.typedClosure { (lent: Payload) -> Payload in
                try host.link.callAndWait("Memory", "memory_pot_rename", ["pot": lent, "note": .string(name)])
            }
            _ = try await host.call("Memory", "memory_pot_visit", ["pot": pot, "visit": visit])
            #expect(try await host.call("Memory", "memory_pot_note", ["pot": pot, "depth": 0]) == .string(name))
        }
    }

    @Test("no handle keeps one that C has only lent")
    func keeps() async throws {
        try await withLibraries("memory") { host async throws in
            let pot = try await host.call("Memory", "memory_pot", ["note": "first"])
            let visit = host.link.typedClosure { (lent: Payload) -> Payload in
                try host.link.callAndWait("Memory", "memory_pot_copy", ["pot": lent])
            }
            let error = await failure {
                try await host.call("Memory", "memory_pot_visit", ["pot": pot, "visit": visit])
            }
            #expect(
                error?.message
                    == "pot: C has only lent this handle to a callback, so that no other handle can keep it")
            #expect(try await host.call("Memory", "memory_pots") == 1)
            let copy = try await host.call("Memory", "memory_pot_copy", ["pot": pot])
            let early = await failure { try await pot.object().call("close") }
            #expect(early?.message.contains("cannot be released while others need it") == true)
            _ = try await copy.object().call("close")
            _ = try await pot.object().call("close")
        }
    }

    @Test(
        "a closure on another thread that uses a handle of its call fails at once",
        .timeLimit(.minutes(1 * TestPatience.factor)))
    func elsewhere() async throws {
        try await withLibraries("memory") { host async throws in
            let pot = try await host.call("Memory", "memory_pot", ["note": "first"])
            let other = try await host.call("Memory", "memory_pot", ["note": "other"])
            for (used, code) in [(pot, LinkError.Code.wouldDeadlock), (other, nil)] as [(Payload, LinkError.Code?)] {
                let visit = host.link.closure { _ throws(LinkError) in
                    try host.link.callAndWait("Memory", "memory_pot_note", ["pot": used, "depth": 0])
                }
                let error = await failure {
                    try await host.call("Memory", "memory_pot_elsewhere", ["pot": pot, "visit": visit])
                }
                #expect(error?.code == code)
            }
        }
    }

    @Test("a handle that comes out with a wrong length is released")
    func wrong() async throws {
        try await withLibraries("memory") { host async throws in
            #expect(try await host.call("Memory", "memory_pot_wrong", ["wrong": 1])["bytes"] == .bytes([7]))
            let error = await failure { try await host.call("Memory", "memory_pot_wrong", ["wrong": -1]) }
            #expect(error?.code == .invalidReply)
            #expect(try await host.call("Memory", "memory_pots") == 0)
        }
    }

    @Test("closures in an array of structs are called, and their errors fail the call")
    func handlers() async throws {
        try await withLibraries("memory") { host async throws in
            let double = host.link.typedClosure { (value: Int32) in 2 * value }
            let handlers: Payload = [["call": double, "weight": 1], ["call": double, "weight": 10]]
            let arguments: Payload = ["handlers": handlers, "value": 3]
            #expect(try await host.call("Memory", "memory_handlers_call", arguments) == 66)
            let bad = host.link.closure { _ throws(LinkError) -> Payload in
                throw LinkError(domain: "test", number: 5, message: "the closure fails")
            }
            let error = await failure {
                try await host.call(
                    "Memory", "memory_handlers_call", ["handlers": [["call": bad, "weight": 1]], "value": 3])
            }
            #expect(error?.message == "the closure fails" && error?.number == 5)
        }
    }
}
