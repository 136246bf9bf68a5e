import ComponentKit
import PageKit
import TestSupport
import Testing

@testable import ComponentWeb

@Suite("A page that is kept for the browsers of a session")
struct PageHubTests {
    @Test("is asked for again after a change, also after one that came while it was asked for")
    func changes() async throws {
        let (updates, sender) = AsyncThrowingStream.makeStream(of: PageUpdate.self)
        sender.yield(.page(WebSamples.page([])))
        let hub = PageHub("home", WebSamples.renderer) { updates }
        _ = try await hub.events(after: nil)
        #expect(await hub.kept() != nil)
        let before = await hub.changes
        await hub.outdate()
        await hub.noteAsked(after: before)
        #expect(await hub.kept() == nil)
        await hub.noteAsked(after: before + 1)
        #expect(await hub.kept() != nil)
        await hub.end()
    }

    /// A page whose updates a test sends.
    private final class FollowedPage: Sendable {
        private struct Streams {
            var all: [AsyncThrowingStream<PageUpdate, any Error>.Continuation] = []
            var ended = 0
        }

        private let streams = Lock(Streams())

        /// How often the page has been followed, and how many times still is.
        var counts: (begun: Int, open: Int) { streams.withLock { ($0.all.count, $0.all.count - $0.ended) } }

        func updates() -> AsyncThrowingStream<PageUpdate, any Error> {
            let (updates, sender) = AsyncThrowingStream.makeStream(of: PageUpdate.self)
            sender.onTermination = { [self] _ in streams.withLock { $0.ended += 1 } }
            sender.yield(.page(WebSamples.page([WebSamples.section("s", Text("a"))])))
            streams.withLock { $0.all.append(sender) }
            return updates
        }

        /// Sends an update to the one that follows.
        func send(_ update: PageUpdate) { streams.withLock { $0.all.last }?.yield(update) }
    }

    @Test("is followed once, and goes on for its browsers, after updates that do not fit")
    func misfits() async throws {
        let followed = FollowedPage()
        let hub = PageHub("home", WebSamples.renderer) { followed.updates() }
        let (events, _) = try await hub.events(after: 4)
        let misfit = PageUpdate.sections(
            [.view(section: "s", patch: ViewPatch(changes: [.remove(path: [], index: 7)]))], after: 4, revision: 5)
        for round in 1...50 {
            followed.send(misfit)
            let isFollowed = await holds {
                guard followed.counts.begun == round + 1 else { return false }
                return await hub.kept() != nil
            }
            try #require(isFollowed, "round \(round)")
        }
        #expect(await holds { followed.counts.open == 1 })
        followed.send(.sections([.section(WebSamples.section("s", Text("b")))], after: 4, revision: 6))
        var revisions: [Int] = []
        for await event in events {
            guard case .operations(_, let revision) = event else { continue }
            revisions.append(revision)
            if revision == 6 { break }
        }
        // The page as a whole each time, then the change.
        #expect(revisions == Array(repeating: 4, count: 50) + [6])
        #expect(followed.counts.begun == 51)
        await hub.end()
        #expect(await holds { followed.counts.open == 0 })
    }

    @Test("tells a browser that comes back what it has missed, or the whole page if that is not known")
    func comingBack() async throws {
        let followed = FollowedPage()
        let hub = PageHub("home", WebSamples.renderer) { followed.updates() }
        _ = try await hub.events(after: nil)
        for revision in 5...6 {
            let change = SectionChange.section(WebSamples.section("s", Text("\(revision)")))
            followed.send(.sections([change], after: revision - 1, revision: revision))
        }
        #expect(await holds { await hub.page?.revision == 6 })
        var streams: [AsyncStream<PageHub.Event>] = []
        for known in [4, 5, 6, 3, 7] { streams.append(try await hub.events(after: known).0) }
        await hub.end()
        var told: [[Int]] = []
        for stream in streams {
            var revisions: [Int] = []
            for await event in stream { if case .operations(_, let revision) = event { revisions.append(revision) } }
            told.append(revisions)
        }
        #expect(told == [[5, 6], [6], [], [6], [6]])
    }

    @Test("is not followed any more when nobody keeps it, even if it was asked for after its end")
    func unkept() async throws {
        let followed = FollowedPage()
        do {
            let hub = PageHub("home", WebSamples.renderer) { followed.updates() }
            _ = try await hub.events(after: nil)
            await hub.end()
            await hub.noteAsked(after: 0)
            #expect(await holds { followed.counts.begun == 2 })
        }
        #expect(await holds { followed.counts.open == 0 })
    }
}
