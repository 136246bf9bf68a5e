import ComponentKit
import Observation
import TestSupport
import Testing

@testable import PageKit

@Suite("Views that are observed")
struct ObservedViewTests {
    @Observable
    final class Model {
        var value = 0
    }

    /// Which views a change has concerned, by their sections.
    private final class Changes: Sendable {
        let found = Lock<[String]>([])
        let told = Lock<[String]>([])

        func observe(_ model: Model, _ section: String, in session: Session? = nil, _ views: ObservedViews) {
            let context = PageContext(page: "p", section: section, module: "m")
            let view = ObservedView(of: context, host: ObjectIdentifier(self), session: session)
            withObservationTracking {
                _ = (view.state, model.value)
            } onChange: { [self] in
                found.withLock { $0.append("\(section) \(view.state)") }
                if views.announce(view) { told.withLock { $0.append(section) } }
            }
            views.keep(view)
        }
    }

    @Test("leave nothing with the view model once they have been made again")
    func renewed() {
        let (model, changes, views) = (Model(), Changes(), ObservedViews(most: 10))
        for _ in 0..<3 { changes.observe(model, "a", views) }
        // They have ended without a change.
        #expect(changes.found.withLock { $0 } == ["a renewed", "a renewed"])
        #expect(changes.told.withLock { $0 } == [])
        model.value = 1
        #expect(changes.found.withLock { $0 } == ["a renewed", "a renewed", "a current"])
        #expect(changes.told.withLock { $0 } == ["a"])
        model.value = 2
        #expect(changes.told.withLock { $0 } == ["a"])
    }

    @Test("are apart for each section and session, and told of once for all sessions")
    func places() throws {
        let (model, changes, views) = (Model(), Changes(), ObservedViews(most: 10))
        for session in [nil, try Session(id: "s")] {
            for section in ["\u{E9}", "e\u{301}"] { changes.observe(model, section, in: session, views) }
        }
        #expect(changes.found.withLock { $0 } == [])
        model.value = 1
        #expect(changes.found.withLock { $0.count } == 4)
        // No two of them have the same bytes.
        #expect(changes.told.withLock { $0.map(\.utf8.count).sorted() } == [2, 3])
    }

    @Test("are limited in number: the page is told of the one that was made first")
    func limit() {
        let (model, changes, views) = (Model(), Changes(), ObservedViews(most: 2))
        // The first one is made again, so it is no longer the oldest.
        for section in ["a", "b", "a", "c", "d"] { changes.observe(model, section, views) }
        #expect(changes.found.withLock { $0 } == ["a renewed", "b forgotten", "a forgotten"])
        #expect(changes.told.withLock { $0 } == ["b", "a"])
        model.value = 1
        #expect(changes.told.withLock { $0.dropFirst(2).sorted() } == ["c", "d"])
    }
}
