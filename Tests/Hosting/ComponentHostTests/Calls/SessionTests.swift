import ComponentHost
import ComponentKit
import Instrumentation
import Testing

@Suite("Sessions")
struct SessionTests {
    private static let refused = [
        "", " ", "a b", "a\n", "a\u{0}b", "\u{7F}", "\u{E9}", "e\u{301}", String(repeating: "x", count: 257),
        String(repeating: "x", count: 1 << 20),
    ]

    @Test("an id from outside is of visible ASCII, and an error does not show it", arguments: refused)
    func ids(id: String) {
        let error = #expect(throws: PayloadError.self) { try Session(id: id) }
        #expect("\(String(describing: error))".contains("another string of \(id.utf8.count) bytes, not shown") == true)
        if id.utf8.count > 1 { #expect(!"\(String(describing: error))".contains(id)) }
    }

    @Test("an id may have 1 to 256 characters", arguments: ["a", "~!", String(repeating: "x", count: 256)])
    func allowed(id: String) throws { #expect(try Session(id: id).id == id) }

    @Test("two are the same only byte by byte, and a strange text is not the program's own")
    func different() throws {
        let texts = [
            "", "\u{0}", " ", "a", "A", "a\u{0}", "a ", "ab", "\u{E9}", "e\u{301}", "\u{C5}", "\u{212B}", "A\u{30A}",
            String(repeating: "x", count: 8000), String(repeating: "x", count: 8001),
        ]
        var sessions: [Session] = []
        for text in texts {
            var context = ServiceContext.topLevel
            context.carried = ["session": text]
            let session = try #require(ServiceContext.withValue(context) { Session.current })
            #expect(Array(session.id.utf8) == Array(text.utf8))
            sessions.append(session)
        }
        #expect(Set(sessions).count == texts.count)
        #expect(try sessions[3] == Session(id: "a"))
    }

    @Test("they reach tasks, not detached ones, and leave other texts alone")
    func carried() async throws {
        let first = try Session(id: "first")
        var context = ServiceContext.topLevel
        context.carried = ["tenant": "acme"]
        try await ServiceContext.withValue(context) {
            #expect(Session.current == nil)
            try await Session.with(first) {
                #expect(ServiceContext.current?.carried == ["tenant": "acme", "session": "first"])
                #expect(await Task { Session.current }.value == first)
                #expect(await Task.detached { Session.current }.value == nil)
                let second = try Session(id: "second")
                #expect(Session.with(second) { Session.current } == second)
                Session.with(nil) {
                    #expect(Session.current == nil)
                    #expect(ServiceContext.current?.carried == ["tenant": "acme"])
                }
                #expect(Session.current == first)
            }
            #expect(Session.current == nil)
        }
    }

    @Test("one can be offered a successor, which goes with it alone")
    func successor() async throws {
        let (first, next) = (try Session(id: "first"), try Session(id: "next"))
        #expect(Session.successor == nil)
        await Session.with(first, successor: next) {
            #expect(Session.current == first && Session.successor == next)
            #expect(await Task { Session.successor }.value == next)
            // In another session, it would be that of somebody else.
            for other in [first, next, nil] { Session.with(other) { #expect(Session.successor == nil) } }
            #expect(Session.successor == next)
        }
        #expect(Session.current == nil && Session.successor == nil)
    }

    @Test("a component renews one, and others move what they keep before it goes on")
    func renewed() async throws {
        let host = LinkHost(components: [], includesBuiltIn: false)
        let (first, next) = (try Session(id: "first"), try Session(id: "next"))
        let kept = Lock<[Session?: String]>([first: "luggage"])
        let moved = Lock(0)
        host.events.on(SessionRenewed.self) { _ in
            moved.withLock { $0 += 1 }
            guard let former = Session.current, let next = Session.successor else { return }
            kept.withLock { $0[next] = $0.removeValue(forKey: former) }
        }
        let events = host.link.events
        // Without a front end there is nothing to renew.
        #expect(await events.renewSession() == nil)
        #expect(await Session.with(first) { await events.renewSession() } == first)
        #expect(moved.withLock { $0 } == 0)
        #expect(await Session.with(first, successor: next) { await events.renewSession() } == next)
        #expect(kept.withLock { $0 } == [next: "luggage"])
        await host.stop()
    }

    @Test("printing one shows nothing of its id")
    func printing() throws {
        let session = try Session(id: "secret")
        var dumped = ""
        dump(session, to: &dumped)
        for text in ["\(session)", String(reflecting: session), "\([session])", dumped] {
            #expect(!text.contains("secret") && !text.contains("115"), "\(text)")
        }
    }
}
