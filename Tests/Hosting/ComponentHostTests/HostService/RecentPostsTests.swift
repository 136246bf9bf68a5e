import ComponentKit
import FixtureContract
import HostContract
import TestSupport
import Testing

@testable import ComponentHost

@Suite("The events that were posted last")
struct RecentPostsTests {
    private struct Unheard: LinkEvent, PayloadConvertible {
        static let eventName = "org.hslink.tests/unheard"
        var payload: Payload { .null }
        init() {}
        init(payload: borrowing PayloadView) throws(PayloadError) {}
    }

    private func texts(_ posts: [EventPost]) -> [String] {
        posts.map { "\($0.number) \($0.event) \($0.handlers)\($0.isSticky ? " sticky" : "")" }
    }

    @Test("posts are recorded from the first question on", arguments: Depth.allCases)
    func recording(depth: Depth) async throws {
        let host = try depth.host()
        let service = try host.service(HostServiceClient.self)
        try await service.load(component: "FixtureComponent")
        host.events.post(Changed(value: 1))
        #expect(!host.features.events.posts.isRecording)
        #expect(try await service.posts(after: nil) == [])
        #expect(host.features.events.posts.isRecording)
        // Quick and other handlers, none at all, by name, sticky, awaited, and from a component.
        host.events.post(Changed(value: 2))
        host.events.post(Unheard())
        host.events.post("org.hslink.tests/other", ["secret": "x"])
        host.events.post(Unheard(), sticky: true)
        await host.events.deliver(Changed(value: 3))
        _ = try await host.call("EventLink", "postChange", ["value": 4])
        let changed = Changed.eventName
        let expected = [
            "1 \(changed) 3", "2 \(Unheard.eventName) 0", "3 org.hslink.tests/other 0",
            "4 \(Unheard.eventName) 0 sticky", "5 \(changed) 3", "6 \(changed) 3",
        ]
        let posts = try await service.posts(after: nil)
        #expect(texts(posts) == expected)
        #expect(posts.map(\.time) == posts.map(\.time).sorted())
        #expect(texts(try await service.posts(after: 4)) == Array(expected.suffix(2)))
        #expect(try await service.posts(after: 6) == [])
        await host.stop()
    }

    @Test("quick handlers, closures, and handlers that the event does not reach are counted", arguments: Depth.allCases)
    func handlers(depth: Depth) async throws {
        let host = try depth.host()
        let service = try host.service(HostServiceClient.self)
        _ = try await service.posts(after: nil)
        // Its handlers do not load the component; those of the other event do.
        await host.events.deliver(Changed(value: 1))
        let closure = host.events.on(Changed.self) { _ in }
        await host.events.deliver(Changed(value: 2))
        await host.events.deliver(Woken())
        await host.events.deliver(Changed(value: 3))
        await closure.remove()
        await host.events.deliver(Changed(value: 4))
        #expect(try await service.posts(after: nil).map(\.handlers) == [0, 1, 1, 4, 3])
        await host.stop()
    }

    @Test("what handlers post is recorded, and so is the life of the host")
    func cascade() async throws {
        let host = try Depth.builtIn.host()
        let service = try host.service(HostServiceClient.self)
        try await service.load(component: "FixtureComponent")
        _ = try await service.posts(after: nil)
        await host.events.deliver(Began())
        // The second waits for the first.
        #expect(await holds { try await service.posts(after: nil).count == 3 })
        await host.start()
        let events = try await service.posts(after: nil).map(\.event)
        #expect(events == [Began.eventName, Ended.eventName, Ended.eventName, HostStarted.eventName])
        await host.stop()
    }

    @Test("the host keeps 500 posts")
    func overflow() async throws {
        let host = LinkHost(components: [], includesBuiltIn: false, options: .quiet)
        let service = try host.service(HostServiceClient.self)
        _ = try await service.posts(after: nil)
        for _ in 0..<700 { host.events.post(Unheard()) }
        #expect(try await service.posts(after: nil).map(\.number) == Array(201...700))
        #expect(try await service.posts(after: 690).map(\.number) == Array(691...700))
        await host.stop()
    }

    @Test("recording ends when nobody has asked for a minute, and begins anew with the next question")
    func patience() {
        let posts = RecentPosts()
        let start = ContinuousClock.now
        #expect(posts.posts(after: nil, now: start) == [])
        func record(_ event: String, _ seconds: Int) {
            posts.record(event, to: [], isSticky: false, now: start + .seconds(seconds))
        }
        record("a", 1)
        record("b", 60)
        #expect(posts.posts(after: nil, now: start + .seconds(60)).map(\.event) == ["a", "b"])
        record("c", 120)
        #expect(posts.isRecording)
        record("d", 121)
        #expect(!posts.isRecording)
        record("e", 122)
        // The first posts would hide that some are missing.
        #expect(posts.posts(after: nil, now: start + .seconds(200)) == [])
        #expect(posts.isRecording)
        record("f", 201)
        #expect(posts.posts(after: nil, now: start + .seconds(400)).map(\.number) == [4])
        // Nothing was posted meanwhile, so nothing is missing.
        #expect(posts.isRecording)
    }

    @Test("threads that post while others ask lose nothing")
    func threads() async throws {
        let host = LinkHost(components: [], includesBuiltIn: false, options: .quiet)
        let service = try host.service(HostServiceClient.self)
        _ = try await service.posts(after: nil)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { for _ in 0..<100 { host.events.post(Unheard()) } } }
            group.addTask { for _ in 0..<20 { _ = try? await service.posts(after: nil) } }
        }
        #expect(try await service.posts(after: nil).map(\.number) == Array(1...400))
        await host.stop()
    }
}
