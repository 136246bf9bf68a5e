import CHSLink
import ComponentHost
import ComponentKit
import ForeignFunctions
import Foundation
import Testing

@Suite("Owners of handles")
struct HandleOwnershipTests {
    @Test("a part is not released separately, and its owner is released once")
    func part() async throws {
        try await withLibraries("sqlite") { host async throws in
            let database = try await host.call("SQLite", "sqlite3_open", ["filename": ":memory:"]).value("ppDb")
            let select = try await host.call(
                "SQLite", "sqlite3_prepare_v2", ["db": database, "sql": "select 1"]
            ).value("ppStmt")
            let part = try await host.call("SQLite", "sqlite3_db_handle", ["stmt": select])
            let error = await failure { try await host.call("SQLite", "sqlite3_close_v2", ["db": part]) }
            #expect(error?.message == "the handle sqlite3 belongs to another owner and cannot be released here")
            // Closing it ends the part, and changes nothing for its owners.
            #expect(try await part.object().call("close") == .null)
            let ended = await failure { try await host.call("SQLite", "sqlite3_changes", ["db": part]) }
            #expect(ended?.message == "the handle sqlite3 has been released")
            #expect(try await host.call("SQLite", "sqlite3_step", ["stmt": select]) == 100)
            let kept = await failure { try await host.call("SQLite", "sqlite3_close_v2", ["db": database]) }
            #expect(
                kept?.message == "the handle sqlite3 cannot be released while others need it (1); release those first")
            #expect(try await host.call("SQLite", "sqlite3_finalize", ["stmt": select]) == 0)
            #expect(try await host.call("SQLite", "sqlite3_close_v2", ["db": database]) == 0)
        }
    }

    @Test("a handle that a function takes over belongs to the other one, with the text that C keeps")
    func taken() async throws {
        try await withLibraries("memory") { host async throws in
            func pot(_ note: String) async throws -> Payload {
                try await host.call("Memory", "memory_pot", ["note": .string(note)])
            }
            let top = try await pot(String(repeating: "top", count: 100))
            do {
                var bottom: Payload? = try await pot(String(repeating: "bottom", count: 100))
                let stack: Payload = try ["top": top, "bottom": #require(bottom)]
                #expect(try await host.call("Memory", "memory_pot_stack", stack) == 2)
                let again = await failure { try await host.call("Memory", "memory_pot_stack", stack) }
                #expect(again?.message == "the handle Pot has been released")
                bottom = nil
            }
            #expect(
                try await host.call("Memory", "memory_pot_note", ["pot": top, "depth": 1])
                    == .string(String(repeating: "bottom", count: 100)))
            let twice = await failure {
                try await host.call("Memory", "memory_pot_stack", ["top": top, "bottom": top])
            }
            #expect(twice?.message == "bottom: the handle Pot is passed twice")
            #expect(try await host.call("Memory", "memory_pots") == 2)
            _ = try await top.object().call("close")
            #expect(try await host.call("Memory", "memory_pots") == 0)
        }
    }

    @Test(
        "\"released\" is for handles that a function takes",
        arguments: [
            (#"{"h": "released"}"#, nil), (#"{"k": "released"}"#, #"k: int is not a pointer: only "= …" is allowed"#),
            (#"{"t": "released copied"}"#, #"t: "released" is for handles that a function takes"#),
            (#"{"return": "released"}"#, #""released" is for a parameter of the function itself"#),
            (#"{"c.h": "released"}"#, #""released" is for a parameter of the function itself"#),
        ] as [(String, String?)])
    func released(annotations: String, reason: String?) throws {
        let description = try LibraryDescription(
            Payload(
                json: """
                    {"name": "a", "version": "1.0.0", "library": "libc.so.6", "class": "A",
                     "declarations": "struct h; int f(struct h *h, int k, const char *t, int (*c)(struct h *h));",
                     "annotations": {"f": \(annotations.contains(#""t""#) ? annotations.replacing("{", with: #"{"c": "copied", "#) : annotations.replacing("{", with: #"{"t": "copied", "c": "copied", "#))}}
                    """))
        #expect(description.refusals.first?.reason == reason)
    }

    @Test("a handle reports its component, even after that has stopped")
    func component() async throws {
        let kept = try await withLibraries("sqlite") { host async throws in
            let database = try await host.call("SQLite", "sqlite3_open", ["filename": ":memory:"]).value("ppDb")
                .object()
            #expect(owner(of: database) == "sqlite")
            return database
        }
        #expect(owner(of: kept) == "sqlite")
    }

    private func owner(of object: LinkObject) -> String? {
        unsafe hslink_owner_of(object.pointer).map { unsafe String($0.pointee.component) }
    }

    @Test("a handle lent to a callback is not released by it, and is invalid afterwards")
    func lent() async throws {
        try await withLibraries("plain") { host async throws in
            let link = host.link
            let seen = Lock<[Payload]>([])
            let function = link.typedClosure { (box: Payload) -> Payload in
                do throws(LinkError) {
                    _ = try link.callAndWait("Plain", "plain_release", ["box": box])
                } catch {
                    seen.withLock { $0.append(.string(error.message)) }
                }
                let value = try link.callAndWait("Plain", "plain_value", ["box": box])
                seen.withLock { $0 += [value, box] }
                return .null
            }
            _ = try await host.call("Plain", "plain_lend", ["value": 5, "function": function])
            let all = seen.withLock { $0 }
            try #require(all.count == 3)
            #expect(all[0] == "the handle Box belongs to another owner and cannot be released here")
            #expect(all[1] == 5)
            let late = await failure { try await host.call("Plain", "plain_value", ["box": all[2]]) }
            #expect(late?.message == "the handle Box has been released")
        }
    }

    @Test("a handle lent to a callback lives until calls of other threads with it have returned")
    func lentToAnotherThread() async throws {
        try await withLibraries("plain") { host async throws in
            let link = host.link
            let isInside = DispatchSemaphore(value: 0)
            let isDone = DispatchSemaphore(value: 0)
            let result = Lock<Payload>(.null)
            let inside = link.closure { _ -> Payload in
                isInside.signal()
                return .null
            }
            let function = link.typedClosure { (box: Payload) -> Payload in
                Thread.detachNewThread {
                    let value = try? link.callAndWait("Plain", "plain_visit", ["box": box, "inside": inside])
                    result.withLock { $0 = value ?? .null }
                    isDone.signal()
                }
                isInside.wait()
                return .null
            }
            _ = try await host.call("Plain", "plain_lend", ["value": 5, "function": function])
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                Thread.detachNewThread {
                    isDone.wait()
                    continuation.resume()
                }
            }
            #expect(result.withLock { $0 } == 5)
        }
    }

    @Test(
        "a closure cannot release a handle in use", arguments: ["sqlite3_finalize", "close", "sqlite3_close_v2"])
    func inUse(way: String) async throws {
        try await withLibraries("sqlite") { host async throws in
            let link = host.link
            let database = try await host.call("SQLite", "sqlite3_open", ["filename": ":memory:"]).value("ppDb")
            let statement = Lock<Payload>(.null)
            let messages = Lock<[String]>([])
            let function = link.closure { _ -> Payload in
                let select = statement.withLock { $0 }
                do {
                    switch way {
                    case "close": _ = try select.object().callAndWait("close")
                    case "sqlite3_finalize": _ = try link.callAndWait("SQLite", way, ["stmt": select])
                    default: _ = try link.callAndWait("SQLite", way, ["db": database])
                    }
                } catch {
                    messages.withLock { $0.append((error as? LinkError)?.message ?? "\(error)") }
                }
                return .null
            }
            _ = try await host.call(
                "SQLite", "sqlite3_create_function_v2",
                ["db": database, "name": "meddle", "nArg": 0, "function": function])
            let select = try await host.call(
                "SQLite", "sqlite3_prepare_v2", ["db": database, "sql": "select meddle(), 7"]
            ).value("ppStmt")
            statement.withLock { $0 = select }
            #expect(try await host.call("SQLite", "sqlite3_step", ["stmt": select]) == 100)
            let kind = way == "sqlite3_close_v2" ? "sqlite3" : "sqlite3_stmt"
            #expect(
                messages.withLock { $0 } == [
                    "the handle \(kind) is in use by a call that has not returned, or by a closure that has returned it"
                ])
            #expect(try await host.call("SQLite", "sqlite3_column_int64", ["stmt": select, "iCol": 1]) == 7)
            statement.withLock { $0 = .null }
            #expect(try await host.call("SQLite", "sqlite3_finalize", ["stmt": select]) == 0)
            #expect(try await host.call("SQLite", "sqlite3_close_v2", ["db": database]) == 0)
        }
    }

    @Test("a description can share the handles of another one, and both directions work")
    func shared() async throws {
        func description(_ name: String, _ more: String) -> String {
            """
            {"name": "\(name)", "version": "1.0.0", "library": \(more), "class": "\(name)",
             "declarations": "struct Box; struct Box *plain_box(int32_t value); int32_t plain_value(struct Box *box); void plain_release(struct Box *box);",
             "handles": {"Box": "plain_release"}}
            """
        }
        let other = #"["./libNowhere.so", "./libPlainFunctions.so"], "shares": "One""#
        try await withDescription(
            description("One", #""./libPlainFunctions.so""#), description("Two", other),
            description("Three", #""./libPlainFunctions.so", "shares": "Two""#)
        ) { host async throws in
            let box = try await host.call("One", "plain_box", ["value": 5])
            #expect(try await host.call("Two", "plain_value", ["box": box]) == 5)
            let back = try await host.call("Two", "plain_box", ["value": 6])
            #expect(try await host.call("One", "plain_value", ["box": back]) == 6)
            let error = await failure { try await host.call("Three", "plain_value", ["box": box]) }
            #expect(error?.message.contains("an object Box from Two") == true, "\(String(describing: error))")
            _ = try await host.call("Two", "plain_release", ["box": box])
            let released = await failure { try await host.call("One", "plain_value", ["box": box]) }
            #expect(released?.message == "the handle Box has been released")
        }
    }

    @Test("handles of another library are refused, even with a kind of the same name")
    func otherLibrary() async throws {
        func description(_ name: String) -> String {
            """
            {"name": "\(name)", "version": "1.0.0", "library": "./libPlainFunctions.so", "class": "\(name)",
             "declarations": "struct Box; struct Box *plain_box(int32_t value); int32_t plain_value(struct Box *box); void plain_release(struct Box *box);",
             "handles": {"Box": "plain_release"}}
            """
        }
        try await withDescription(description("One"), description("Two")) { host async throws in
            let box = try await host.call("One", "plain_box", ["value": 1])
            #expect(try await host.call("One", "plain_value", ["box": box]) == 1)
            let error = await failure { try await host.call("Two", "plain_value", ["box": box]) }
            #expect(
                error?.message
                    == "box: expected an object Box from Two, ./libPlainFunctions.so, found one from One, ./libPlainFunctions.so"
            )
        }
    }

    @Test("a handle in a returned struct has no owner, and is left out")
    func insideStruct() async throws {
        try await withLibraries("plain") { host async throws in
            let box = try await host.call("Plain", "plain_box", ["value": 1])
            #expect(try await host.call("Plain", "plain_owner", ["box": box]) == ["box": nil, "count": 1])
        }
    }
}
