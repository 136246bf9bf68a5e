import ComponentKit
import PageKit
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
}
