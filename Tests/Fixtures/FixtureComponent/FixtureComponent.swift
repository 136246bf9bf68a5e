import ComponentKit
import FixtureContract
import Instrumentation
import Synchronization

/// A component with a method of every form, for tests.
@Component(
    version: "1.2.3", layer: .business,
    posts: [
        Changed.self, Began.self, Ended.self, Repeated.self, Stalled.self, Woken.self, WhoseAsked.self,
    ],
    configuration: FixtureOptions.self)
final class FixtureComponent {
    let startedAt: Int
    /// Whose session it was created in.
    let createdFor = whoseSession()
    /// The instances of one of its classes.
    let tally = InstanceTally()
    private let link: Link

    init(_ context: ComponentContext) throws {
        startedAt = 1
        link = context.link
        link.log(.debug, "fixture starts")
    }

    func stopping() { link.log(.debug, "fixture is stopping") }
}

/// One class with a method of every form.
@LinkClass
final class FixtureLink {
    private let context: ComponentContext
    private let calls = Atomic<Int>(0)
    private let cancellations = Atomic<Int>(0)
    private let sleeps = Atomic<Int>(0)
    private let kept = Lock<[Reply]>([])

    init(_ context: ComponentContext) { self.context = context }

    @Selector func sum(a: Int, b: Int, c: Int) -> Int { a + b + c }
    @Selector func length(text: String) -> Int { text.utf8.count }

    static let rows: [LinkMethod<FixtureLink>] = [
        .method("sumQuick", quick: true) { _, payload in
            try payload.int("a") + payload.int("b") + payload.int("c")
        },
        .method("echo") { _, payload in try payload.copy() },
        .method("twin") { _, _ in "object" },
        .classMethod("twin") { _ in "class" },
        .method("count") { fixture, _ in fixture.calls.add(1, ordering: .relaxed).newValue },
        .method("nothing") { _, _ in },
        .method("throwOwn") { _, _ -> Payload in
            throw LinkError(domain: "fixture", number: 7, message: "as asked", details: ["why": "test"])
        },
        .method("throwOther") { _, _ -> Payload in throw FixtureError(text: "of its own type") },
        .method("wrongKey") { _, payload in
            try payload.withValue("owner") { owner throws(PayloadError) in try owner.int("age") }
        },
        .method("caller") { _, _, call in call.caller },
        .method("remaining") { _, _, call in
            call.deadline.map { Double($0.remaining.components.attoseconds) / 1e18 }
        },
        .method("sleep") { _, payload -> Int in
            try pause(payload.double("seconds"))
            // The whole payload is read after the sleep, so it must still be valid.
            return try payload.bytesIfPresent("data")?.reduce(0) { $0 + Int($1) } ?? 0
        },
        .asyncMethod("asyncSum") { _, payload in
            await Task.yield()
            return try payload.int("a") + payload.int("b")
        },
        .asyncMethod("asyncSleep") { fixture, payload in
            fixture.sleeps.add(1, ordering: .relaxed)
            do {
                try await Task.sleep(for: .seconds(payload.double("seconds")))
            } catch {
                fixture.cancellations.add(1, ordering: .relaxed)
                throw error
            }
            return "slept"
        },
        .asyncMethod("asyncThrow") { _, _ -> Payload in throw FixtureError(text: "later") },
        .method("wasCancelled") { fixture, _ in fixture.cancellations.load(ordering: .relaxed) },
        .deferredMethod("drop") { _, _, _ in },
        .deferredMethod("replyTwice") { _, _, reply in
            reply.succeed("first")
            reply.succeed("second")
        },
        .deferredMethod("keep") { fixture, _, reply in fixture.kept.withLock { $0.append(reply) } },
        .method("answerKept") { fixture, payload in
            let replies = fixture.kept.withLock { kept in
                defer { kept = [] }
                return kept
            }
            let value = try payload.copy()
            return replies.count { $0.succeed(value) }
        },
        .method("makeCounter") { fixture, _ in fixture.context.link.object(FixtureCounter(fixture.context)) },
        .method("adder") { fixture, payload in
            let amount = try payload.int("amount")
            return fixture.context.link.closure { try $0.int() + amount }
        },
        .method("apply") { _, payload in
            let arguments = try payload.copy()
            return try arguments.object("closure").callAndWait("", arguments["argument"] ?? .null)
        },
        .asyncMethod("applyLater") { _, payload in
            let closure = try payload.object("closure")
            let argument = payload["argument"] ?? .null
            return try await Task.detached { try await closure.call("", argument) }.value
        },
        .method("carried") { _, _ in carriedTexts() },
        .asyncMethod("asyncCarried") { _, _ in
            await Task.yield()
            return carriedTexts()
        },
        .asyncMethod("asyncCallOther") { fixture, call in
            await Task.yield()
            return try await fixture.context.link.call(
                call.string("class"), call.string("selector"),
                timeout: call.doubleIfPresent("timeout").map { .seconds($0) })
        },
        .method("passing") { fixture, payload in
            let closure = try payload.copy().object("closure")
            return fixture.context.link.closure { _ in try closure.callAndWait() }
        },
        .asyncMethod("callHost") { fixture, payload in
            try await fixture.context.link.call("HostLink", "greet", payload)
        },
        .method("callOther") { fixture, payload in
            let call = try payload.copy()
            return try fixture.context.link.callAndWait(
                call.string("class"), call.string("selector"), call["payload"] ?? .null,
                kind: call.stringIfPresent("kind") == "class" ? .class : .object,
                timeout: call.doubleIfPresent("timeout").map { .seconds($0) })
        },
        .method("directory") { fixture, _ in fixture.context.directory },
        .method("data") { fixture, _ in try fixture.context.dataDirectory() },
        .mainActorMethod("onMain") { _, _ in "main" },
        .method("asyncSleeps") { fixture, _ in fixture.sleeps.load(ordering: .relaxed) },
        .deferredMethod("keepLater") { fixture, payload, reply in
            // Blocks in the closure before the reply is kept.
            _ = try payload.copy().object("closure").callAndWait()
            fixture.kept.withLock { $0.append(reply) }
        },
        .method("nest") { fixture, payload -> Int in
            let depth = try payload.int("depth")
            guard depth > 0 else { return 0 }
            let timeout = try payload.doubleIfPresent("timeout")
            let inner: Payload = ["depth": .int(Int64(depth - 1)), "timeout": timeout.map(Payload.double) ?? .null]
            return try fixture.context.link.callAndWait(
                "FixtureLink", "nest", inner, timeout: timeout.map { .seconds($0) }
            ).int() + 1
        },
        .method("thread") { _, _ in threadNumber() },
        .method("threadQuick", quick: true) { _, _ in threadNumber() },
        .asyncMethod("threadAsync") { _, _ in threadNumber() },
        .asyncMethod("bindOther") { fixture, payload in
            let bound = try fixture.context.link.bind(payload.string("class"), payload.string("selector"))
            return try await bound.call(
                payload["payload"] ?? .null,
                timeout: payload.doubleIfPresent("timeout").map { .seconds($0) })
        },
    ]
}

/// An instance that travels.
final class FixtureCounter: LinkClass {
    private let value = Atomic<Int>(0)

    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<FixtureCounter>] = [
        .method("increment") { counter, payload in
            counter.value.add(try payload.intIfPresent("by") ?? 1, ordering: .relaxed).newValue
        },
        .mainActorMethod("onMain") { _, _ in "main" },
    ]
}

/// Made anew for each call.
@LinkClass(instances: .perCall)
final class FixturePerCall {
    private let calls = Atomic<Int>(0)

    static let rows: [LinkMethod<FixturePerCall>] = [
        .method("count") { fixture, _ in fixture.calls.add(1, ordering: .relaxed).newValue },
        .method("sum") { _, payload in try payload.int("a") + payload.int("b") + payload.int("c") },
    ]
}

/// A subclass of HSLinkClass that both calls the host and provides methods.
@LinkClass
// Unchecked: adds no state to its superclass.
final class FixtureSubclass: HSLinkClass, @unchecked Sendable {
    static let rows: [LinkMethod<FixtureSubclass>] = [
        .method("greet") { _, payload in "hello, \(try payload.string("name"))" as Payload },
        .deferredMethod("askHost") { fixture, payload, reply in
            let question = try payload.copy()
            fixture.hsObjectMethod(className: "HostLink", performSelectorStr: "greet", param: question) {
                returnValue, performSuccess, classIsLoad in
                reply.succeed(
                    ["value": returnValue ?? .null, "performed": .bool(performSuccess), "loaded": .bool(classIsLoad)]
                        as Payload)
            }
        },
        .method("presence") { fixture, payload in
            let (name, selector) = (try payload.string("class"), try payload.stringIfPresent("selector"))
            return [
                "available": .bool(fixture.isAvailable(className: name, selector: selector)),
                "loaded": .bool(fixture.isLoaded(className: name)),
            ] as Payload
        },
    ]
}

/// A class of which no instance can be made.
@LinkClass
final class FixtureFailing {
    init(_ context: ComponentContext) throws { throw FixtureError(text: "cannot be made") }

    static let rows: [LinkMethod<FixtureFailing>] = [.method("never") { _, _ in }]
}

/// Returns the texts that the current call carries.
private func carriedTexts() -> Payload {
    let texts = ServiceContext.current?.carried ?? [:]
    return Payload(entries: texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
}

struct FixtureError: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}
