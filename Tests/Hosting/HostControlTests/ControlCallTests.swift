import ComponentHost
import ComponentKit
import Foundation
import HostContract
import HostControl
import TestSupport
import Testing

@Suite("Calls over the control channel")
struct ControlCallTests {
    @Test("every kind of value makes a round trip unchanged")
    func echo() async throws {
        let values: [Payload] = [
            .null, true, 42, .int(.min), .uint(.max), 1.5, "text", "", .bytes([0, 255]), .date(Timestamp(seconds: -1)),
            [1, ["a": [true, .null]]], ["key": "value", "": ["nested": 1]],
            .bytes([UInt8](repeating: 7, count: 3_000_000)),
        ]
        try await ServedHost.with(["CGood"]) { served in
            try await served.client { client in
                for value in values {
                    let echoed = try await client.value("CGoodLink", "echo", value)
                    #expect(echoed == value)
                }
            }
        }
    }

    @Test(
        "a payload that passes in one process passes the socket, in both directions",
        arguments: [LargePayload.levels, .values, .bytes])
    func largest(_ large: LargePayload) async throws {
        try await ServedHost.with(["CGood"]) { served in
            let payload = large.payload
            // Not in the macro, which would print the payload.
            let passesInProcess =
                try await served.host.call("CGoodLink", "echo", payload, kind: .class) == payload
            #expect(passesInProcess)
            try await served.client { client in
                let passesSocket = try await client.value("CGoodLink", "echo", payload) == payload
                #expect(passesSocket)
            }
        }
    }

    enum LargePayload {
        case levels, values, bytes

        /// 64 levels, 1,000,000 values, or 100 MB.
        var payload: Payload {
            switch self {
            case .levels: (1..<64).reduce(.array([])) { value, _ in .array([value]) }
            case .values: .array([Payload](repeating: 1, count: 999_999))
            case .bytes: .bytes([UInt8](repeating: 7, count: 100_000_000))
            }
        }
    }

    @Test("failures arrive unchanged, with the details that only this host knows")
    func failures() async throws {
        try await ServedHost.with(["CGood", "CreateFails", "RepliesLate", "MakeFails"]) { served in
            try await served.client { client in
                let missing = try #require(try await client.failure("Nowhere", "run"))
                #expect(missing.code == .classNotFound)
                #expect(missing.className == "Nowhere")
                #expect(!missing.classIsLoad)
                let selector = try #require(try await client.failure("CGoodLink", "nothing"))
                #expect(selector.code == .selectorNotFound)
                #expect(selector.component == "CGood")
                #expect(selector.classIsLoad)
                let create = try #require(try await client.failure("CreateFailsLink", "run"))
                let local = await #expect(throws: LinkError.self) {
                    try await served.host.call("CreateFailsLink", "run", kind: .class)
                }
                #expect(create.description == local?.description)
                #expect(create.cause?.code == .createFailed)
                #expect(create.cause?.cause?.domain == "CreateFails")
                #expect(create.cause?.cause?.number == 7)
                var late: LinkError?
                // The host may notice the deadline after the reply.
                for seconds in [0.2, 2, 20] where late == nil {
                    late = try await client.failure(
                        "RepliesLateLink", "sleep", ["seconds": .double(seconds), "data": .bytes([1])],
                        timeout: .milliseconds(5))
                }
                #expect(late?.code == .deadlineExceeded)
            }
        }
    }

    @Test("objects and closures do not travel in either direction, and the error says so")
    func objects() async throws {
        try await ServedHost.with(["CGood", "StaticRuntime"]) { served in
            let closure = served.host.link.closure { _ in true }
            try await served.client { client in
                let error = await #expect(throws: ControlError.self) {
                    _ = try await client.value("CGoodLink", "apply", ["closure": closure, "argument": .bytes([1])])
                }
                #expect(error?.message.contains("cannot be sent to another process") == true)
                #expect(error?.message.contains("closure") == true)
                let adder = CallDescription("StaticRuntimeLink", "adder", ["amount": 1])
                guard case .notSendable(let problem) = try await client.call(adder) else {
                    Issue.record("an object came over the channel")
                    return
                }
                #expect(problem.found.contains("object"))
                // The connection stays open.
                let echoed = try await client.value("CGoodLink", "echo", 1)
                #expect(echoed == 1)
            }
        }
    }

    @Test("many calls of one client are in flight at once, and each gets its own answer")
    func pipelined() async throws {
        try await ServedHost.with(["CGood", "SlowCreate"]) { served in
            try await served.client { client in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<2000 {
                        group.addTask {
                            let echoed = try await client.value("CGoodLink", "echo", Payload(index))
                            #expect(echoed == Payload(index))
                        }
                    }
                    group.addTask {
                        let created = try await client.value("SlowCreateLink", "created")
                        #expect(created == 1)
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test("several clients are served at once")
    func clients() async throws {
        try await ServedHost.with(["CGood"]) { served in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<20 {
                    group.addTask {
                        try await served.client { client in
                            for index in 0..<50 {
                                let echoed = try await client.value("CGoodLink", "echo", Payload(lane * 100 + index))
                                #expect(echoed == Payload(lane * 100 + index))
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("a task that is cancelled cancels its call in the host, and no other")
    func cancel() async throws {
        try await ServedHost.with(["NeverReplies", "CGood"]) { served in
            try await served.client { client in
                let first = Task { try await client.failure("NeverRepliesLink", "run") }
                let second = Task { try await client.failure("NeverRepliesLink", "run") }
                let haveBegun = await holds { try await client.value("NeverRepliesLink", "begun") == 2 }
                #expect(haveBegun)
                first.cancel()
                #expect(try await first.value?.code == .cancelled)
                let isCancelled = await holds { try await client.value("NeverRepliesLink", "cancelled") == 1 }
                #expect(isCancelled)
                let outstanding = try await client.value("NeverRepliesLink", "outstanding")
                #expect(outstanding == 1)
                second.cancel()
                #expect(try await second.value?.code == .cancelled)
            }
        }
    }

    @Test("a handler that hangs blocks neither its connection nor others")
    func stayingHandler() async throws {
        try await ServedHost.with(["Blocks", "CGood"]) { served in
            try await served.client { client in
                let call = Task { try await client.failure("BlocksLink", "run") }
                // A call that is cancelled before it has begun never reaches the method.
                let hasBegun = await holds { try await client.value("BlocksLink", "begun") == 1 }
                #expect(hasBegun)
                call.cancel()
                #expect(try await call.value?.code == .cancelled)
                let stays = await holds { try await client.value("BlocksLink", "inside") == 1 }
                #expect(stays)
                let echoed = try await client.value("CGoodLink", "echo", 1)
                #expect(echoed == 1)
                try await served.client { other in
                    let echoed = try await other.value("CGoodLink", "echo", 2)
                    #expect(echoed == 2)
                }
                // It counts as work of its component until it returns.
                let row = try await client.list().components.first { $0.name == "Blocks" }
                #expect(row?.openWork == 1)
                _ = try await client.value("BlocksLink", "release")
                let isOver = await holds {
                    try await client.list().components.first { $0.name == "Blocks" }?.openWork == 0
                }
                #expect(isOver)
            }
        }
    }

    @Test("an object that cannot be sent and whose release hangs blocks neither its connection nor others")
    func stayingRelease() async throws {
        try await ServedHost.with(["Blocks", "CGood"]) { served in
            try await served.client { client in
                // The method is quick, so it is called and answered on the event loop.
                let answer = try await client.call(CallDescription("BlocksLink", "gift", kind: .class))
                if case .notSendable = answer {} else { Issue.record("an object was sent: \(answer)") }
                let stays = await holds { try await client.value("BlocksLink", "inside") == 1 }
                #expect(stays)
                try await served.client { other in
                    let echoed = try await other.value("CGoodLink", "echo", 2)
                    #expect(echoed == 2)
                }
                _ = try await client.value("BlocksLink", "release")
            }
        }
    }

    @Test("a quick method that gets a large payload does not run on the event loop")
    func largeQuick() async throws {
        try await ServedHost.with(["Hangs", "CGood"]) { served in
            try await served.client { client in
                // A method that is not in memory would run on a thread of the host anyway.
                let inside = try await client.value("HangsLink", "inside")
                #expect(inside == 0)
                let payload = Payload.bytes([UInt8](repeating: 7, count: 16 << 10))
                let call = Task { try await client.value("HangsLink", "hangQuick", payload) }
                let hangs = await holds { try await served.host.call("HangsLink", "inside", kind: .class) == 1 }
                // On the same event loop.
                let echoed = try? await client.value("CGoodLink", "echo", 1)
                _ = try await served.host.call("HangsLink", "release", kind: .class)
                #expect(hangs)
                #expect(echoed == 1)
                let returned = try await call.value
                #expect(returned == true)
            }
        }
    }

    @Test("a client that disconnects cancels its calls")
    func gone() async throws {
        try await ServedHost.with(["NeverReplies"]) { served in
            do {
                let raw = try RawClient(served.socket)
                for id in 0..<10 {
                    try await raw.send([
                        "id": Payload(id), "request": "call", "class": "NeverRepliesLink", "selector": "run",
                        "kind": "class",
                    ])
                }
                let haveBegun = await holds { served.server.callsInFlight == 10 }
                #expect(haveBegun)
                let begun = await holds {
                    try await served.host.call("NeverRepliesLink", "begun", kind: .class) == 10
                }
                #expect(begun)
            }
            let cancelled = await holds {
                try await served.host.call("NeverRepliesLink", "cancelled", kind: .class) == 10
            }
            #expect(cancelled)
            let isOver = await holds { served.server.callsInFlight == 0 }
            #expect(isOver)
        }
    }

    @Test("the host reports the same over the socket as in its own process")
    func listing() async throws {
        try await ServedHost.with(["CGood", "NeedsMissing", "TextFile", "AccountsOld", "NeverReplies"]) { served in
            try await served.client { client in
                _ = try await client.value("CGoodLink", "echo", 1)
                let call = Task { try await client.failure("NeverRepliesLink", "run") }
                let isListed = await holds {
                    let row = try await client.list().components.first { $0.name == "NeverReplies" }
                    return row?.callsInFlight == 1 && row?.state == "running"
                }
                #expect(isListed)
                let listing = try await client.list()
                #expect(listing.process == Int(getpid()))
                #expect(
                    listing.components.map { "\($0.name) \($0.state)" } == [
                        "Accounts available", "CGood running", "NeverReplies running", "NeedsMissing failed",
                    ])
                #expect(listing.components.last?.code == "requirementNotMet")
                #expect(listing.services.map(\.service) == ["com.example.account/1"])
                #expect(listing.rejectedFiles.map(\.code) == ["notElf"])
                let own = HostContents(served.host)
                #expect(own.components.map(\.reason) == listing.components.map(\.reason))
                #expect(own.components.map(\.file) == listing.components.map(\.file))
                call.cancel()
                _ = try await call.value
                let catalog = try await client.catalog()
                #expect(catalog.entry(ofClass: "CGoodLink")?.manifest.name == "CGood")
                #expect(
                    catalog.entry(named: "CGood")?.manifest.classDeclaration("CGoodLink")?.selectors.count
                        == served.host.catalog.entry(named: "CGood")?.manifest.classDeclaration("CGoodLink")?.selectors
                        .count)
            }
        }
    }
}
