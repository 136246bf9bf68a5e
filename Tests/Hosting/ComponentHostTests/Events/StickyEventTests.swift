import ComponentKit
import Testing

@testable import ComponentHost

@Suite("Limits of sticky events")
struct StickyEventTests {
    private static func bytes(_ count: Int) -> Payload { .bytes([UInt8](repeating: 7, count: count)) }

    @Test("one that is too large is refused, and the former one stays")
    func tooLarge() async throws {
        let host = try Depth.builtIn.host()
        #expect(await host.events.deliver("t/large", 1, sticky: true).refusal == nil)
        let outcome = await host.events.deliver("t/large", Self.bytes(StickyEvents.maximumSize + 1), sticky: true)
        #expect(outcome.refusal?.code == .payloadMismatch)
        #expect(
            outcome.refusal?.message
                == "the sticky event t/large: expected at most \(StickyEvents.maximumSize) bytes, found more")
        #expect(host.events.last("t/large") == 1)
        // The limit is for what is kept.
        let passing = await host.events.deliver("t/large", Self.bytes(StickyEvents.maximumSize + 1))
        #expect(passing.refusal == nil)
        await host.stop()
    }

    @Test("all of them together have a limit, to which a replaced one does not count")
    func total() throws {
        var events = StickyEvents()
        let size = 2 << 20
        let fitting = (StickyEvents.maximumTotal / size) - 1
        // The first of each name is replaced by one of the same size.
        for _ in 0..<2 {
            for index in 0..<fitting {
                _ = try events.keep(StickyEvents.measure("t/\(index)", Self.bytes(size)), as: "t/\(index)")
            }
        }
        let one = try StickyEvents.measure("t/one", Self.bytes(size))
        let error = #expect(throws: LinkError.self) {
            _ = try events.keep(one, as: "t/one")
            _ = try events.keep(one, as: "t/other")
        }
        #expect(error?.code == .methodFailed)
        #expect(error?.message.contains("the host keeps at most 64 MB of them") == true)
        #expect(events["t/other"] == nil)
        // A smaller one of a known name makes room.
        _ = try events.keep(StickyEvents.measure("t/0", 1), as: "t/0")
        _ = try events.keep(one, as: "t/other")
        #expect(events["t/other"] != nil)
    }

    @Test("so have their names")
    func names() throws {
        var events = StickyEvents()
        for index in 0..<StickyEvents.maximumNames {
            _ = try events.keep(StickyEvents.measure("t/\(index)", 1), as: "t/\(index)")
        }
        let error = #expect(throws: LinkError.self) {
            _ = try events.keep(StickyEvents.measure("t/more", 1), as: "t/more")
        }
        #expect(error?.code == .methodFailed)
        #expect(error?.message.contains("keeps 4096 of them already") == true)
        _ = try events.keep(StickyEvents.measure("t/0", 2), as: "t/0")
        #expect(events["t/0"] == 2)
    }
}
