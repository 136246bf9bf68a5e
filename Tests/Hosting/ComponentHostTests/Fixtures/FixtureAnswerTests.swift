import ComponentHost
import ComponentKit
import TestSupport
import Testing

@Suite("Loaded components answer as documented in the table")
struct FixtureAnswerTests {
    @Test("in every form of a call", arguments: FixtureCase.sound + FixtureCase.misbehaving)
    func everyForm(row: FixtureCase) async throws {
        try await withHost([row.fixture] + row.others) { host, _ async throws in
            row.check(await host.blockingCall(row.className, row.selector, row.payload, kind: row.kind))
            row.check(await answer { try await host.call(row.className, row.selector, row.payload, kind: row.kind) })
            row.check(
                await answer {
                    try await host.call(
                        row.className, row.selector, row.payload, kind: row.kind, timeout: .seconds(300))
                })
            let bound = try await onThread { try host.bind(row.className, row.selector, kind: row.kind) }
            row.check(await answer { try await onThread { try bound(row.payload) } })
            row.check(await answer { try await bound.call(row.payload) })
            let called = await awaitResume { resume in
                host.link.call(row.className, row.selector, row.payload, kind: row.kind) { (answer: Answer) in
                    resume(answer)
                }
            }
            row.check(called)
        }
    }

    @Test("in one host with all of them", .enabled(if: Fixtures.hasRust))
    func allTogether() async throws {
        let rows = (FixtureCase.sound + FixtureCase.misbehaving).filter { $0.fixture != "VersionedOld" }
        try await withHost(Set(rows.flatMap { [$0.fixture] + $0.others }).sorted() + ["VersionedOld"]) {
            host, _ async throws in
            for row in rows {
                row.check(await host.blockingCall(row.className, row.selector, row.payload, kind: row.kind))
            }
            #expect(await host.blockingCall("CGoodLink", "sum", ["a": 1, "b": 2]).returnValue == 3)
        }
    }

    @Test("a failing instance has the component's own error as its cause")
    func makeFails() async throws {
        try await withHost(["MakeFails"]) { host, _ async throws in
            let error = try #require(await host.blockingCall("MakeFailsLink", "run", kind: .object).error)
            let cause = try #require(error.cause)
            #expect(cause.domain == "MakeFails")
            #expect(cause.number == 7)
            #expect(cause.message == "the instance could not be made: the disk is full")
        }
    }

    @Test("malformed errors lose their broken parts only")
    func badErrors() async throws {
        try await withHost(["BadErrors"]) { host, _ async throws in
            var error = try #require(await host.blockingCall("BadErrorsLink", "details").error)
            #expect(error.details == nil)
            error = try #require(await host.blockingCall("BadErrorsLink", "cycle").error)
            var depth = 0
            while let cause = error.cause {
                #expect(cause.message == "its cause is itself")
                error = cause
                depth += 1
            }
            #expect(depth == 8)
        }
    }

    @Test("a value of an unknown tag is performed, and refused when it is printed")
    func unknownTag() async throws {
        try await withHost(["UnknownTag"]) { host, _ async throws in
            let value = try await host.value("UnknownTagLink", "run")
            #expect(try value.int("known") == 1)
            #expect(value["strange"]?.kind == .unknown(99))
            #expect(throws: PayloadError.self) { try value.cbor() }
            #expect(throws: PayloadError.self) { try value.json() }
            // It is passed on unchanged.
            try await withHost(["CGood"]) { other, _ async throws in
                let echoed = try await other.value("CGoodLink", "echo", value)
                #expect(echoed == value)
            }
        }
    }

    @Test("a bool with a number other than 0 and 1 is true everywhere")
    func oddBool() async throws {
        try await withHost(["OddValues"]) { host, _ async throws in
            let value = try await host.value("OddValuesLink", "bool")
            #expect(value == true)
            #expect(try value.bool())
            #expect(try value.json() == "true")
        }
    }

    @Test("a method that replies and returns an unknown number has replied")
    func oddReturn() async throws {
        try await withHost(["OddReturn"]) { host, _ async throws in
            let inline = await host.blockingCall("OddReturnLink", "replied")
            #expect(inline.performSuccess)
            let detached = await answer { try await host.call("OddReturnLink", "replied", kind: .class) }
            #expect(detached.returnValue == inline.returnValue)
        }
    }

    @Test("the second of two replies is refused and counted")
    func repliesTwice() async throws {
        try await withHost(["RepliesTwice"]) { host, _ async throws in
            #expect(try await host.value("RepliesTwiceLink", "run") == 1)
            #expect(try await host.value("RepliesTwiceLink", "secondResult") == 1)
            #expect(host.info("RepliesTwice")?.lateReplies == 1)
            // The first reply answers the call while the method is still running on a thread of the host.
            #expect(try await host.call("RepliesTwiceLink", "run", kind: .class) == 1)
            #expect(await holds { host.info("RepliesTwice")?.lateReplies == 2 })
            #expect(try await host.value("RepliesTwiceLink", "secondResult") == 1)
        }
    }

    @Test("a method that never replies is ended by its deadline, by cancellation and by stop")
    func neverReplies() async throws {
        try await withHost(["NeverReplies"]) { host, _ async throws in
            // Its deadline must not pass before the method has begun.
            try await withMorePatience(from: .milliseconds(50)) { timeout in
                let late = await answer {
                    try await host.call("NeverRepliesLink", "run", kind: .class, timeout: timeout)
                }
                #expect(late.error?.code == .deadlineExceeded)
                #expect(late.classIsLoad)
                // A thread may be about to begin it.
                #expect(await holds { host.info("NeverReplies")?.stuckCalls == 0 })
                return try await host.value("NeverRepliesLink", "begun") == 1
            }
            // Its method is notified on a thread of the host, so no deadline waits for that.
            #expect(await holds { try await host.value("NeverRepliesLink", "cancelled") == 1 })

            let task = Task { await answer { try await host.call("NeverRepliesLink", "run", kind: .class) } }
            #expect(await holds { try await host.value("NeverRepliesLink", "begun") == 2 })
            task.cancel()
            #expect(await task.value.error?.code == .cancelled)
            #expect(try await host.value("NeverRepliesLink", "cancelled") == 2)
            #expect(try await host.value("NeverRepliesLink", "outstanding") == 0)

            async let stopped = host.blockingCall("NeverRepliesLink", "run")
            #expect(await holds { try await host.value("NeverRepliesLink", "begun") == 3 })
            let report = await host.stop(timeout: .milliseconds(50))
            #expect(report.cancelledCalls == 1)
            #expect(report.stillRunning.isEmpty)
            #expect(await stopped.error?.code == .cancelled)
        }
    }
}
