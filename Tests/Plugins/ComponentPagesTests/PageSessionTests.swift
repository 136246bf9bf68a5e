import ComponentHost
import ComponentKit
import HostTestSupport
import PageKit
import TestSupport
import Testing

@testable import ComponentPages

@Suite("Pages of sessions")
struct PageSessionTests {
    private static func page(_ key: String) -> String {
        """
        {"page": "home", "sections": [
            {"module": "test.session", "data": {"key": "\(key)"}},
            {"module": "test.text", "hidden": {"unless": "test.session-holds"}}
        ]}
        """
    }

    /// What the page shows: the id of the session, and whether the condition holds there.
    private func shown(_ pages: PageServiceClient, _ session: Session?) async throws -> [String] {
        try await Session.with(session) { try await pages.settled("home").shown }
    }

    @Test("each has its own views, conditions and actions", arguments: ComponentDepth.allCases)
    func apart(depth: ComponentDepth) async throws {
        let place = try PagePlace()
        try place.write(Self.page("apart"), to: "home.json")
        let (first, second) = try (Session(id: "apart-1-\(depth)"), Session(id: "apart-2-\(depth)"))
        try await place.withPages(depth) { host, pages, _ in
            SessionModules.holding.withLock { _ = $0.insert(second.id) }
            for _ in 0..<3 {
                #expect(try await shown(pages, first) == [first.id])
                // A page does not wait for a slow condition.
                let showsAll = await holds { try await shown(pages, second) == [second.id, "test.text"] }
                #expect(showsAll)
                #expect(try await shown(pages, nil) == ["none"])
            }
            func perform(_ id: String, in session: Session?) async throws -> Payload {
                try await Session.with(session) {
                    try await pages.perform(
                        page: "home", section: "test.session", action: .call("name", ["id": id.payload]), values: [:]
                    ).value
                }
            }
            #expect(try await perform(first.id, in: first) == .string(first.id))
            #expect(try await perform(second.id, in: second) == .string(second.id))
            #expect(try await perform("none", in: nil) == "none")
            // What another session's page offers, this one does not.
            let error = await #expect(throws: PageError.self) { try await perform(second.id, in: first) }
            #expect(error == .actionNotOffered(page: "home", section: "test.session"))
            let opened = try await Session.with(first) { try await host.open("studio://pages/home") }
            #expect(try opened.value(as: Page.self).shown == [first.id])
        }
    }

    @Test("a hundred at once see only their own", arguments: ComponentDepth.allCases)
    func many(depth: ComponentDepth) async throws {
        let place = try PagePlace()
        try place.write(Self.page("many"), to: "home.json")
        try await place.withPages(depth) { host, pages, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    let session = try Session(id: "many-\(number)-\(depth)")
                    let expected = [session.id] + (number.isMultiple(of: 2) ? ["test.text"] : [])
                    if number.isMultiple(of: 2) { SessionModules.holding.withLock { _ = $0.insert(session.id) } }
                    group.addTask {
                        for _ in 0..<5 {
                            // A page does not wait for a slow condition, but what it shows is its own.
                            let isShown = await holds {
                                let seen = try await shown(pages, session)
                                #expect(expected.starts(with: seen))
                                return seen == expected
                            }
                            #expect(isShown)
                        }
                        try await Session.with(session) {
                            for try await update in try await pages.updates(id: "home") {
                                guard case .page(let page) = update else { continue }
                                #expect(page.shown.first == session.id)
                                break
                            }
                        }
                    }
                    group.addTask {
                        // Whoever posts, the modules are asked in the session of the page.
                        host.events.post(PageModuleChanged("test.session"))
                        Session.with(session) {
                            host.events.post(PageModuleChanged("test.session-holds", sessionOnly: true))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("a change in one session reaches its readers only, another one reaches all")
    func scopes() async throws {
        let place = try PagePlace()
        try place.write(Self.page("scopes"), to: "home.json")
        let sessions = try [Session(id: "scopes-1"), Session(id: "scopes-2")] + [nil]
        try await place.withPages { host, pages, _ in
            var readers: [PageRecord] = []
            for session in sessions {
                readers.append(PageRecord(try await Session.with(session) { try await pages.updates(id: "home") }))
            }
            let record = readers
            func see(_ expected: [[String]]) async {
                let isSo = await holds { record.map { $0.page.shown } == expected }
                #expect(isSo, "\(record.map { $0.page.shown })")
            }
            await see([["scopes-1"], ["scopes-2"], ["none"]])
            func name(_ id: String, _ name: String) {
                TestModules.values.withLock { $0["session \(id)"] = [name] }
            }
            for id in ["scopes-1", "scopes-2"] { name(id, "\(id) anew") }
            let asked = { SessionModules.questions.withLock { $0["scopes"] ?? 0 } }
            let before = asked()
            await Session.with(sessions[1]) {
                _ = await host.events.deliver(PageModuleChanged("test.session", sessionOnly: true))
            }
            await see([["scopes-1"], ["scopes-2 anew"], ["none"]])
            #expect(asked() == before + 1)
            // The condition is asked again in that session only.
            SessionModules.holding.withLock { $0.formUnion(["scopes-1", "scopes-2"]) }
            await Session.with(sessions[0]) {
                _ = await host.events.deliver(PageModuleChanged("test.session-holds", sessionOnly: true))
            }
            await see([["scopes-1", "test.text"], ["scopes-2 anew"], ["none"]])
            await Session.with(sessions[1]) { _ = await host.events.deliver(PageModuleChanged("test.session")) }
            await see([["scopes-1 anew", "test.text"], ["scopes-2 anew"], ["none"]])
            for reader in readers { reader.end() }
        }
    }

    @Test("a page that nobody watches is asked again when it is wanted, and not before")
    func unwatched() async throws {
        let place = try PagePlace()
        try place.write(Self.page("unwatched"), to: "home.json")
        let session = try Session(id: "unwatched-1")
        try await place.withPages { host, pages, _ in
            let page = try await Session.with(session) { try await pages.settled("home") }
            #expect(page.shown == ["unwatched-1"])
            // `settled` may have asked for a revision, which counts as watching for a while.
            let asked = { SessionModules.questions.withLock { $0["unwatched"] ?? 0 } }
            let isLeft = await holds {
                let before = asked()
                await host.events.deliver(PageModuleChanged("test.session"))
                try await Task.sleep(for: .milliseconds(100))
                return asked() == before
            }
            #expect(isLeft)
            TestModules.values.withLock { $0["session unwatched-1"] = ["changed"] }
            let next = try await Session.with(session) { try await pages.page(id: "home", after: page.revision) }
            #expect(next.shown == ["changed"])
            // An action that a view offers by now is found, too.
            _ = try await Session.with(session) {
                try await pages.perform(
                    page: "home", section: "test.session", action: .call("name", ["id": "unwatched-1"]), values: [:])
            }
        }
    }

    @Test("a page appears to the first session and disappears from the last")
    func appearing() async throws {
        let place = try PagePlace()
        try place.write(Self.page("appearing"), to: "home.json")
        try await place.withPages { host, pages, _ in
            let seen = Lock<[String]>([])
            host.events.on(PageEvent.self) { event in
                seen.withLock { $0.append("\(event.kind) \(Session.current == nil)") }
            }
            var records: [PageRecord] = []
            for id in ["appearing-1", "appearing-2"] {
                try await Session.with(Session(id: id)) {
                    records.append(PageRecord(try await pages.updates(id: "home")))
                }
            }
            let hasAppeared = await holds { seen.withLock { $0 } == ["appeared true"] }
            #expect(hasAppeared)
            records.removeFirst().end()
            try await Task.sleep(for: .milliseconds(700))
            #expect(seen.withLock { $0 } == ["appeared true"])
            records.removeFirst().end()
            let hasGone = await holds { seen.withLock { $0 } == ["appeared true", "disappeared true"] }
            #expect(hasGone)
        }
    }

    @Test("a session may keep a hundred pages open, and takes no room from others")
    func limit() async throws {
        let place = try PagePlace()
        for number in 0...100 { try place.write(page: "p\(number)", #"{"module": "test.text"}"#) }
        let (greedy, other) = try (Session(id: "greedy"), Session(id: "other"))
        try await place.withPages { _, pages, _ in
            try await Session.with(greedy) {
                // Those that are only looked at make room.
                for number in 0...100 { _ = try await pages.page(id: "p\(number)", after: nil) }
                var records: [PageRecord] = []
                for number in 0..<100 { records.append(PageRecord(try await pages.updates(id: "p\(number)"))) }
                let error = await #expect(throws: LinkError.self) { try await pages.page(id: "p100", after: nil) }
                #expect(error?.message.contains("more than 100 pages of a session") == true)
                #expect(try await pages.page(id: "p0", after: nil).id == "p0")
                #expect(try await Session.with(other) { try await pages.page(id: "p100", after: nil).id } == "p100")
                records.removeLast().end()
                let isFree = await holds { (try? await pages.page(id: "p100", after: nil)) != nil }
                #expect(isFree)
                for record in records { record.end() }
            }
        }
    }

    @Test("many sessions that come and go push out only pages that nobody uses")
    func flood() async throws {
        let place = try PagePlace()
        try place.write(Self.page("flood"), to: "home.json")
        let reader = try Session(id: "flood-reader")
        try await place.withPages(kept: 20) { host, pages, _ in
            let record = try await Session.with(reader) { PageRecord(try await pages.updates(id: "home")) }
            for number in 0..<100 {
                #expect(try await shown(pages, try Session(id: "flood-\(number)")) == ["flood-\(number)"])
            }
            TestModules.values.withLock { $0["session flood-reader"] = ["still here"] }
            await host.events.deliver(PageModuleChanged("test.session"))
            let isSo = await holds { record.page.shown == ["still here"] }
            #expect(isSo)
            // When all are used, another one is refused, and has room as soon as one is left.
            var others: [PageRecord] = []
            for number in 0..<19 {
                try await Session.with(Session(id: "flood-\(number)")) {
                    others.append(PageRecord(try await pages.updates(id: "home")))
                }
            }
            let error = await #expect(throws: LinkError.self) { try await pages.page(id: "home", after: nil) }
            #expect(error?.message.contains("more than 20 pages are shown") == true)
            others.removeLast().end()
            let isFree = await holds { (try? await pages.page(id: "home", after: nil)) != nil }
            #expect(isFree)
            for record in others + [record] { record.end() }
        }
    }
}

/// What a reader has made of its updates.
final class PageRecord: Sendable {
    private let state = Lock(Page(id: "", title: "", revision: 0, sections: []))
    private let reading = Lock<Task<Void, any Error>?>(nil)

    init(_ updates: AsyncThrowingStream<PageUpdate, any Error>) {
        let task = Task { for try await update in updates { try state.withLock { try $0.apply(update) } } }
        reading.withLock { $0 = task }
    }

    var page: Page { state.withLock { $0 } }

    func end() { reading.withLock { $0 }?.cancel() }
}

extension Page {
    /// The first text of each section that has any.
    fileprivate var shown: [String] {
        sections.compactMap { section in
            guard section.state == .shown else { return nil }
            return section.module == "test.text" ? section.module : section.view.texts.first
        }
    }
}
