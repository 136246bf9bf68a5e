import ComponentKit
import PageKit
import TestSupport
import Testing

@testable import ComponentConsole

private struct Shown: WatchedState {
    var value: Int
    /// What changes because somebody looks.
    var noise = 0

    var watched: Shown { Shown(value: value) }
}

/// A module whose state a test decides, and a watch that counts what is told.
private final class WatchedModule: Sendable {
    let value = Lock(0)
    let looks = Lock(0)
    let asked = Lock(0)
    let told = Lock<[String]>([])
    /// Called whenever pages are told.
    let telling = Lock<@Sendable () -> Void>({})
    let watch: ModuleWatch

    init(lease: Duration = .seconds(600)) {
        let told = Lock<@Sendable (String) -> Void>({ _ in })
        watch = ModuleWatch(
            interval: { .milliseconds(1) }, lease: lease,
            post: { place in
                let subject = place.subject.isEmpty ? "" : " of \(place.subject)"
                told.withLock { $0 }("\(place.module) on \(place.page)\(subject)")
            })
        told.withLock {
            $0 = { [weak self] place in
                self?.told.withLock { $0.append(place) }
                self?.telling.withLock { $0 }()
            }
        }
    }

    func ask(_ page: String = "p", about subject: String = "") async throws -> Int {
        asked.withLock { $0 += 1 }
        let context = PageContext(page: page, section: "s", module: "m")
        return try await watch.follow(context, about: subject) { [self] in
            let noise = looks.withLock { looks in
                looks += 1
                return looks
            }
            let value = value.withLock { $0 }
            if value < 0 { throw CancellationError() }
            return Shown(value: value, noise: noise)
        }.value
    }

    func seen(_ count: Int) async -> Bool {
        let looks = looks.withLock { $0 }
        return await holds { self.looks.withLock { $0 } >= looks + count }
    }
}

@Suite("Watching what pages show")
struct ModuleWatchTests {
    @Test("tells pages when something has changed, and only then")
    func changes() async throws {
        let module = WatchedModule()
        #expect(try await module.ask() == 0)
        #expect(await module.seen(20))
        #expect(module.told.withLock { $0 } == [])
        module.value.withLock { $0 = 1 }
        #expect(await holds { module.told.withLock { $0 } == ["m on p"] })
        #expect(await module.seen(20))
        #expect(module.told.withLock { $0 } == ["m on p"])
        module.watch.end()
        #expect(await holds { !module.watch.isWatching })
    }

    @Test("is apart for each page and subject")
    func places() async throws {
        let module = WatchedModule()
        for page in ["p", "q"] { _ = try await module.ask(page, about: "c") }
        _ = try await module.ask("q")
        module.value.withLock { $0 = 1 }
        #expect(await holds { module.told.withLock { $0.sorted() } == ["m on p of c", "m on q", "m on q of c"] })
        module.watch.end()
    }

    @Test("tells others that one who asks sees something new")
    func sooner() async throws {
        let module = WatchedModule()
        _ = try await module.ask()
        // Whoever sees it first, everybody is told once.
        module.value.withLock { $0 = 1 }
        #expect(try await module.ask() == 1)
        #expect(await holds { module.told.withLock { $0 } == ["m on p"] })
        #expect(await module.seen(20))
        #expect(module.told.withLock { $0 } == ["m on p"])
        module.watch.end()
    }

    @Test("tells pages no more often than it looks, even if telling them is what changes")
    func feedback() async throws {
        let module = WatchedModule()
        module.telling.withLock { tell in
            tell = { [weak module] in
                module?.value.withLock { $0 += 1 }
                // Pages ask again.
                Task { [weak module] in try await module?.ask() }
            }
        }
        _ = try await module.ask()
        module.value.withLock { $0 = 1 }
        #expect(await module.seen(200))
        module.watch.end()
        #expect(await holds { !module.watch.isWatching })
        // Every question is a look too.
        let (told, asked, looks) = (
            module.told.withLock { $0.count }, module.asked.withLock { $0 }, module.looks.withLock { $0 }
        )
        #expect(told > 1)
        #expect(told <= looks - asked, "\(told) times told, \(asked) times asked, \(looks) looks")
    }

    @Test("goes on when the host cannot answer for a while, and is not begun by a module that cannot")
    func failures() async throws {
        let module = WatchedModule()
        module.value.withLock { $0 = -1 }
        await #expect(throws: CancellationError.self) { try await module.ask() }
        #expect(!module.watch.isWatching)
        module.value.withLock { $0 = 0 }
        _ = try await module.ask()
        module.value.withLock { $0 = -1 }
        #expect(await module.seen(20))
        module.value.withLock { $0 = 5 }
        #expect(await holds { module.told.withLock { $0 } == ["m on p"] })
        module.watch.end()
    }

    @Test("asks once whether anybody still looks, and ends if nobody does")
    func ends() async throws {
        let module = WatchedModule(lease: .milliseconds(1))
        _ = try await module.ask()
        #expect(await holds { !module.watch.isWatching })
        #expect(module.told.withLock { $0 } == ["m on p"])
        // It begins again with the next question.
        _ = try await module.ask()
        #expect(await holds { !module.watch.isWatching })
        #expect(module.told.withLock { $0.count } == 2)
    }

    @Test("goes on as long as the pages ask again when they are told to")
    func leases() async throws {
        let module = WatchedModule(lease: .milliseconds(1))
        _ = try await module.ask()
        for round in 1...5 {
            #expect(await holds { module.told.withLock { $0.count } >= round })
            _ = try await module.ask()
        }
        module.watch.end()
        #expect(await holds { !module.watch.isWatching })
    }
}
