import ComponentKit
import PageKit

/// What a module shows that follows the host.
protocol WatchedState: Hashable, Sendable {
    /// The state without what changes only because it is watched, such as the calls that showing a page takes.
    var watched: Self { get }
}

extension WatchedState {
    var watched: Self { self }
}

/// Looks, while pages of the console are shown, whether what they show has changed, and tells the pages then.
///
/// A module that is asked is watched for a while. Then its pages are told to ask again once: if a reader still has the
/// page open, the module is asked, and watched on. So without readers nothing is looked for, and nothing is posted or
/// sent when nothing changes.
///
/// What is posted can itself be what changes. Calls of methods that handle `PageModuleChanged` are no news, but a host
/// counts all closures of its program together. So if the program handles the event with a closure, the pages with
/// counters are told once per interval as long as they are shown.
final class ModuleWatch: Sendable {
    /// A module on a page.
    struct Place: Hashable, Sendable {
        var module: String
        var page: String
        /// The component that it is about; empty if it is about none.
        var subject: String = ""
    }

    typealias Look = @Sendable () async throws -> any WatchedState

    private struct Entry {
        var look: Look
        var seen: any WatchedState
        /// Whether a question has found another state than the one before, which pages of other sessions show.
        var isNews = false
        var lastAsked: ContinuousClock.Instant
        /// When the pages were told to ask again if they are still shown.
        var probed: ContinuousClock.Instant?
    }

    private struct State {
        var entries: [Place: Entry] = [:]
        var watching: Task<Void, Never>?
        var isEnded = false
    }

    private let interval: @Sendable () -> Duration
    private let post: @Sendable (Place) -> Void
    private let shortestLease: Duration
    private let state = Lock(State())

    /// The most modules on pages that are watched; each browser window has a few.
    private static let mostEntries = 1000

    /// - Parameters:
    ///   - interval: how often to look.
    ///   - lease: how long a module is watched after it was asked, at least.
    ///   - post: tells the pages that a module has changed.
    init(
        interval: @escaping @Sendable () -> Duration, lease: Duration = .seconds(10),
        post: @escaping @Sendable (Place) -> Void
    ) {
        self.interval = interval
        self.post = post
        shortestLease = lease
    }

    /// Whether anything is watched.
    var isWatching: Bool { state.withLock { $0.watching != nil } }

    /// Answers what a module shows now, and watches it from now on.
    func follow<Shown: WatchedState>(
        _ context: PageContext, about subject: String = "", _ look: @escaping @Sendable () async throws -> Shown
    ) async throws -> Shown {
        let shown = try await look()
        note(Place(module: context.module, page: context.page, subject: subject), shown.watched, look: look)
        return shown
    }

    /// Notes that a module has been asked, and what it has shown.
    ///
    /// If that is new, the pages are told at the next look, and not at once: they would ask again, and where asking
    /// changes what is shown, as it does when a component counts what pages are told, that would go on without a pause.
    private func note(_ place: Place, _ shown: any WatchedState, look: @escaping Look) {
        state.withLock { state in
            guard !state.isEnded else { return }
            let former = state.entries[place]
            guard former != nil || state.entries.count < ModuleWatch.mostEntries else { return }
            let isNews = former.map { $0.isNews || !$0.seen.isSame(as: shown) } ?? false
            state.entries[place] = Entry(look: look, seen: shown, isNews: isNews, lastAsked: .now)
            if state.watching == nil { state.watching = Session.with(nil) { Task { await watch() } } }
        }
    }

    private func watch() async {
        while await look() { try? await Task.sleep(for: interval()) }
    }

    /// - Returns: Whether to look again.
    private func look() async -> Bool {
        let places = state.withLock { state in Array(state.entries.keys) }
        for place in places {
            guard let look = step(place) else { continue }
            guard let shown = try? await look().watched else { continue }
            let hasChanged = state.withLock { state in
                guard let former = state.entries[place] else { return false }
                state.entries[place]?.seen = shown
                state.entries[place]?.isNews = false
                return former.isNews || !former.seen.isSame(as: shown)
            }
            if hasChanged { tell(place) }
        }
        return state.withLock { state in
            if state.entries.isEmpty || state.isEnded { state.watching = nil }
            return state.watching != nil
        }
    }

    /// Returns how to look at a module; nil if no one has asked it for a while.
    private func step(_ place: Place) -> Look? {
        let interval = interval()
        let (lease, grace) = (max(shortestLease, interval * 10), max(shortestLease / 2, interval * 5))
        let (look, isProbed) = state.withLock { state -> (Look?, Bool) in
            guard let entry = state.entries[place], !state.isEnded else { return (nil, false) }
            if entry.lastAsked.duration(to: .now) < lease { return (entry.look, false) }
            guard let probed = entry.probed else {
                state.entries[place]?.probed = .now
                return (nil, true)
            }
            if probed.duration(to: .now) > grace { state.entries[place] = nil }
            return (nil, false)
        }
        if isProbed { tell(place) }
        return look
    }

    /// It concerns the pages of all sessions, no matter which one has asked.
    private func tell(_ place: Place) { Session.with(nil) { post(place) } }

    /// Ends all watching.
    func end() {
        let watching = state.withLock { state in
            state.isEnded = true
            state.entries = [:]
            return state.watching
        }
        watching?.cancel()
    }
}

extension WatchedState {
    fileprivate func isSame(as other: any WatchedState) -> Bool { other as? Self == self }
}
