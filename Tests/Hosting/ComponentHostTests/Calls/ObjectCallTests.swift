import CHSLink
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ComponentHost
@testable import ComponentKit

/// Calls of objects are calls: everything that holds for methods holds for them.
@Suite("Calls of objects")
struct ObjectCallTests {
    /// Whose closure calls itself.
    enum Owner: String, CaseIterable, CustomTestStringConvertible {
        case program, component

        var testDescription: String { "of a \(rawValue)" }
    }

    @Test("a closure that calls itself is refused beyond the depth of calls", arguments: Depth.allCases, Owner.allCases)
    func recursion(depth: Depth, owner: Owner) async throws {
        let host = try depth.host()
        let kept = Lock<LinkObject?>(nil)
        let closure: LinkObject
        if owner == .program {
            closure = try host.link.closure { level -> Payload in
                guard let next = kept.withLock({ $0 }) else { return .null }
                return try next.callAndWait("", Payload(try level.copy().int() + 1))
            }.object()
        } else {
            closure = try await host.call("WhoseLink", "recursion").object()
        }
        kept.withLock { $0 = closure }
        let answer = await ComponentHostTests.answer { try await onThread { try closure.callAndWait("", 1) } }
        #expect(answer.error?.code == .tooDeep, "\(String(describing: answer.error))")
        // The host goes on, and so does the thread's depth.
        #expect(try await host.call("FixtureLink", "sum", ["a": 1, "b": 2, "c": 3]) == 6)
        kept.withLock { $0 = nil }
        #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
    }

    @Test("a long chain of objects that pass a reply on uses no stack", arguments: Depth.allCases)
    func chain(depth: Depth) async throws {
        let host = try depth.host()
        let end = Collected<Reply>()
        let links = 5_000
        var next: LinkObject?
        for _ in 0..<links {
            next = try host.link.object(ChainLink(before: next, end)).object()
        }
        let collected = Collected<Answer>()
        let first = try #require(next)
        try await onThread { first.call("pass") { collected.add($0) } }
        let reply = try #require(await end.first(1).first)
        // Threads of authors may have small stacks.
        try await onOwnThread(stackSize: 128 << 10) { _ = reply.succeed(42) }
        #expect(await collected.first(1).first?.returnValue == 42)
        await host.stop()
    }

    @Test("a host that ends while one is looked for does no harm")
    func endingHosts() async throws {
        let host = LinkHost(components: [], includesBuiltIn: false, options: .quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    try await onOwnThread {
                        for _ in 0..<300 { _ = LinkHost(components: [], includesBuiltIn: false, options: .quiet) }
                    }
                }
                group.addTask {
                    try await onOwnThread { for _ in 0..<100_000 { #expect(LiveBackends.any != nil) } }
                }
            }
            try await group.waitForAll()
        }
        await host.stop()
    }

    @Test("with texts that no call can carry are refused, also past the host", arguments: Depth.allCases)
    func wrongTexts(depth: Depth) async throws {
        let host = try depth.host()
        let closure = try await host.call("FixtureLink", "adder", ["amount": 2]).object()
        checkTexts(of: closure, 3, "a closure")
        // What a component receives when it binds a method. Its calls come to the host by themselves.
        let method = try #require(try host.core.bind("FixtureLink", "sumQuick", kind: .object) as? HostBoundMethod)
        let owner = unsafe closure.owner.map { unsafe HostTable.of($0.host) }
        let caller = try #require(owner)
        let bound = unsafe LinkObject(adopting: BoundObject.make(method, caller: caller))
        checkTexts(of: bound, ["a": 1, "b": 2, "c": 2], "a bound call")
        #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
    }

    /// Calls an object that answers 5 with texts of all kinds, without its host.
    private func checkTexts(of object: LinkObject, _ payload: Payload, _ what: String) {
        func call(_ carried: hslink_value) -> (value: Payload?, code: LinkError.Code?) {
            switch unsafe invokeDirectly(object, "", payload, carrying: carried) {
            case .success(let value)?: (value, nil)
            case .failure(let error)?: (nil, error.code)
            case nil: (nil, nil)
            }
        }
        unsafe "session".withCString { name in
            let good = unsafe hslink_entry_make(name, hslink_text(name))
            // The first of two bytes alone.
            let bad: [UInt8] = [0xC3]
            unsafe bad.withUnsafeBufferPointer { bytes in
                let wrong = unsafe hslink_value_make(
                    UInt32(HSLINK_STRING), 1, Int64(bitPattern: UInt64(UInt(bitPattern: bytes.baseAddress))))
                let cases: [(title: String, entries: [hslink_entry], isGood: Bool)] = unsafe [
                    ("good", [good], true), ("nothing", [], true), ("a key twice", [good, good], false),
                    ("invalid UTF-8", [hslink_entry_make(name, wrong)], false),
                    ("no text", [hslink_entry_make(name, hslink_int(1))], false),
                ]
                for index in unsafe cases.indices {
                    let (title, isGood) = unsafe (cases[index].title, cases[index].isGood)
                    let answer = unsafe cases[index].entries.withUnsafeBufferPointer { entries in
                        unsafe call(hslink_map(entries.baseAddress, UInt32(entries.count)))
                    }
                    #expect((answer.value.map { $0 == 5 } ?? false) == isGood, "\(what): \(title)")
                    #expect(answer.code == (isGood ? nil : .payloadMismatch), "\(what): \(title)")
                }
            }
        }
        #expect(unsafe call(hslink_map(nil, 1)).code == .payloadMismatch, "\(what)")
        #expect(unsafe call(hslink_int(1)).code == .payloadMismatch, "\(what)")
    }

    @Test("methods that sleep until an object has replied give up their places", arguments: Depth.allCases)
    func sleepers(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.concurrencyLimit = 4
        let host = try depth.host(options: options)
        let replies = Collected<Reply>()
        let object = host.link.object(KeepingLink(keepingIn: replies))
        let tasks = (0..<8).map { _ in
            Task {
                await answer {
                    try await host.call("WhoseLink", "callAndWait", ["object": object], timeout: .seconds(300))
                }
            }
        }
        #expect(await holds { replies.all.count == 8 })
        #expect(await CallForm.async.perform(host, "nothing", timeout: .seconds(300)).returnValue == .null)
        for reply in replies.all { reply.succeed(7) }
        for task in tasks { #expect(await task.value.returnValue == 7) }
        #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
    }

    @Test("the stop of a host ends a call of an object, and counts it", arguments: Depth.allCases)
    func stop(depth: Depth) async throws {
        let host = try depth.host()
        let object = try await host.call("WhoseLink", "object").object()
        let collected = Collected<Answer>()
        object.call("hold") { collected.add($0) }
        #expect(try host.fixture.callsInFlight == 1)
        #expect(await host.stop(timeout: .zero).cancelledCalls == 1)
        #expect(await collected.first(1).first?.error?.code == .cancelled)
        #expect(await answer { try await object.call("now") }.error?.code == .stopped)
    }

    @Test("are counted as calls of their methods, and closures by themselves", arguments: Depth.allCases)
    func counters(depth: Depth) async throws {
        let host = try depth.host()
        let object = try await host.call("WhoseLink", "object").object()
        for _ in 0..<3 { _ = try await object.call("now") }
        _ = await answer { try await object.call("missing") }
        let closure = try await host.call("WhoseLink", "closure", ["selector": "nowQuick"]).object()
        _ = try await closure.call()
        let rows = host.core.selectorCounters().filter { $0.component == "FixtureComponent" }
        #expect(rows.first { $0.className == "WhoseLink" && $0.selector == "now" }?.counters.calls == 3)
        #expect(rows.first { $0.className == "WhoseLink" && $0.selector.isEmpty }?.counters.calls == 1)
        #expect(rows.first { $0.className == "closure" }?.counters.calls == 1)
        await host.stop()
    }

    @Test("the host marks the thread, unless the object says that it does so itself")
    func marks() async throws {
        try await withHost(["Extended", "CGood"]) { host, _ async throws in
            _ = try await host.call("ExtendedLink", "carried", kind: .class)
            let owned = try await host.value("ExtendedLink", "object").object()
            #expect(!host.core.called(owned, "").isBracketed)
            #expect(host.core.called(owned, "").unit?.name == "Extended")
            let counter = try await host.value("CGoodLink", "makeCounter").object()
            #expect(!host.core.called(counter, "increment").isBracketed)
            let closure = try host.link.closure { _ -> Payload in .null }.object()
            #expect(host.core.called(closure, "").isBracketed)
        }
        let host = try Depth.file.host()
        let object = try await host.call("WhoseLink", "object").object()
        #expect(host.core.called(object, "now").isBracketed)
        #expect(host.core.called(object, "now").unit?.name == "FixtureComponent")
        await host.stop()
    }

    @Test(
        "a stuck thread counts against the component that it is in, not the one that was called",
        arguments: ["an object", "a method"])
    func culprit(called: String) async throws {
        let log = CollectedLog()
        var options = log.options
        options.stuckLimit = 2
        options.stuckPatience = .milliseconds(50)
        try await withPlugins { directory in
            try directory.add("Hangs")
            let host = LinkHost(
                components: [directory.path, try ProductFolder.plugin("FixtureComponent").path],
                includesBuiltIn: false, options: options)
            _ = try await host.call("WhoseLink", "now")
            let object = try await host.call("HangsLink", "makeHanging", kind: .class)
            let method: Payload = ["class": "HangsLink", "selector": "hang", "kind": "class"]
            for count in 1...2 {
                let task = Task {
                    await answer {
                        called == "a method"
                            ? try await host.call("FixtureLink", "callOther", method)
                            : try await host.call("WhoseLink", "callAndWait", ["object": object])
                    }
                }
                #expect(await holds { try await host.value("HangsLink", "inside") == Payload(count) })
                task.cancel()
                #expect(await task.value.error?.code == .cancelled)
            }
            #expect(await holds { host.info("Hangs")?.stuckCalls == 2 })
            #expect(host.info("FixtureComponent")?.stuckCalls == 0)
            let refused = await answer { try await host.call("HangsLink", "inside", kind: .class) }
            #expect(refused.error?.code == .stuck)
            #expect(refused.error?.component == "Hangs")
            #expect(try await host.call("WhoseLink", "now") == "nobody")
            #expect(await holds { log.lines.all.contains { $0.contains("it is stuck: 2 or more threads") } })
            #expect(await answer { try await object.object().call("now") }.error?.code == .stuck)
            let hanging = try object.object()
            try await onThread { _ = invokeDirectly(hanging, "release") }
            #expect(await holds { host.info("Hangs")?.stuckCalls == 0 })
            #expect(await holds { log.lines.all.contains { $0.contains("it has recovered") } })
            #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
        }
    }

    /// Calls `body` with a host of fixtures that hang, and of the fixture component.
    private func withHanging(
        _ fixtures: [String], concurrencyLimit: Int = 16, _ body: (LinkHost) async throws -> Void
    ) async throws {
        var options = HostOptions.quiet
        options.concurrencyLimit = concurrencyLimit
        options.stuckLimit = 2
        options.stuckPatience = .milliseconds(50)
        try await withPlugins { directory in
            for fixture in fixtures { try directory.add(fixture) }
            let host = LinkHost(
                components: [directory.path, try ProductFolder.plugin("FixtureComponent").path],
                includesBuiltIn: false, options: options)
            _ = try await host.call("WhoseLink", "now")
            try await body(host)
            #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
        }
    }

    @Test("calls whose threads hang in another component keep no slots")
    func slots() async throws {
        try await withHanging(["Hangs"], concurrencyLimit: 2) { host in
            let object = try await host.call("HangsLink", "makeHanging", kind: .class)
            for count in 1...2 {
                let task = Task { await answer { try await host.call("WhoseLink", "callAndWait", ["object": object]) } }
                #expect(await holds { try await host.value("HangsLink", "inside") == Payload(count) })
                task.cancel()
                _ = await task.value
            }
            // Whether or not the host knows yet where the threads are.
            #expect(try await host.call("WhoseLink", "now", timeout: .seconds(300)) == "nobody")
            let hanging = try object.object()
            try await onThread { _ = invokeDirectly(hanging, "release") }
        }
    }

    @Test("a thread that goes on, and hangs in another component, counts against that one")
    func secondCulprit() async throws {
        try await withHanging(["Hangs", "Blocks"]) { host in
            let first = try await host.call("HangsLink", "makeHanging", kind: .class).object()
            let second = try await host.call("BlocksLink", "gift", kind: .class).object()
            let closure = host.link.closure { _ in
                _ = try first.callAndWait("hang")
                return try second.callAndWait("stay")
            }
            for count in 1...2 {
                let task = Task { await answer { try await host.call("FixtureLink", "apply", ["closure": closure]) } }
                #expect(await holds { try await host.value("HangsLink", "inside") == Payload(count) })
                task.cancel()
                _ = await task.value
            }
            #expect(await holds { host.info("Hangs")?.stuckCalls == 2 })
            #expect(await host.blockingCall("HangsLink", "inside").error?.code == .stuck)
            try await onThread { _ = invokeDirectly(first, "release") }
            #expect(await holds { host.info("Blocks")?.stuckCalls == 2 })
            #expect(host.info("Hangs")?.stuckCalls == 0)
            #expect(try await host.value("HangsLink", "inside") == 0)
            #expect(await host.blockingCall("BlocksLink", "inside").error?.code == .stuck)
            try await onThread { _ = invokeDirectly(second, "release") }
            #expect(await holds { host.info("Blocks")?.stuckCalls == 0 })
        }
    }
}

/// Passes its reply on to another one like it, or keeps it.
private final class ChainLink: LinkClass {
    private let next: LinkObject?
    private let end: Collected<Reply>

    init(_ context: ComponentContext) throws { throw LinkError(.methodFailed) }

    init(before next: LinkObject?, _ end: Collected<Reply>) {
        self.next = next
        self.end = end
    }

    static let methods: [LinkMethod<ChainLink>] = [
        .deferredMethod("pass") { link, _, reply in
            guard let next = link.next else { return link.end.add(reply) }
            // Made elsewhere, so that it is the replies that form a chain.
            DispatchQueue.global().async {
                next.call("pass") { answer in
                    if let error = answer.error {
                        reply.fail(error)
                    } else {
                        reply.succeed(answer.returnValue ?? .null)
                    }
                }
            }
        }
    ]
}

/// Keeps all replies.
private final class KeepingLink: LinkClass {
    private let replies: Collected<Reply>

    init(_ context: ComponentContext) throws { throw LinkError(.methodFailed) }

    init(keepingIn replies: Collected<Reply>) { self.replies = replies }

    static let methods: [LinkMethod<KeepingLink>] = [
        .deferredMethod("keep") { link, _, reply in link.replies.add(reply) }
    ]
}

/// Calls an object without its host, as a component in C may.
///
/// - Returns: The reply; nil if there is none yet.
@discardableResult
func invokeDirectly(
    _ object: LinkObject, _ selector: String, _ payload: Payload = .null, carrying carried: hslink_value? = nil
) -> Result<Payload, LinkError>? {
    let thread = ThreadContext.current
    let pending = PendingReply.open(on: thread, ledger: 0)
    var call = unsafe hslink_call(pending.handle(on: thread), flags: 0)
    guard let carried = unsafe carried else {
        _ = unsafe object.invokeAsIs(selector, payload, call: call)
        return pending.takeReplied(on: thread)
    }
    unsafe withUnsafePointer(to: carried) { carried in
        unsafe call.carried = unsafe carried
        _ = unsafe object.invokeAsIs(selector, payload, call: call)
    }
    return pending.takeReplied(on: thread)
}
