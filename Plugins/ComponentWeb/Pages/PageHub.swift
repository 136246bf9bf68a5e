import ComponentKit
import Foundation
import NIOCore
import PageKit

/// A page as the browsers of one session see it: followed once, rendered once, sent to each of them.
///
/// It follows the page as long as a browser shows it, and a little longer, so that the next request is answered from
/// memory.
actor PageHub {
    /// What is sent to a browser.
    enum Event: Sendable {
        /// What to change, as JSON.
        case operations(Rendered, revision: Int)
        /// The page has been deleted.
        case gone
        /// Nothing; so a connection that is gone is noticed.
        case beat
    }

    private let id: String
    private let renderer: PageRenderer
    private let follow: @Sendable () async throws -> AsyncThrowingStream<PageUpdate, any Error>
    private var page: Page?
    private var failure: (any Error)?
    private var following: Task<Void, Never>?
    /// The number of the task that follows the page, or did so last. An earlier one may still be ending.
    private var lastFollowing = 0
    private var readers: [Int: AsyncStream<Event>.Continuation] = [:]
    private var lastReader = 0
    /// The last events, so that a browser which was away for a moment needs no whole page.
    private var recent: [(text: Rendered, revision: Int)] = []
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var lastUse = ContinuousClock.now
    /// How often somebody has changed something in the session.
    private(set) var changes = 0
    /// After how many of these changes the modules have been asked.
    private var askedAfter = 0
    /// The page as it is sent to a browser to which nothing has to be said.
    private var document: (revision: Int, token: String, look: String?, bytes: ByteBuffer)?

    /// How many events wait for a slow browser before its stream ends.
    private static let backlog = 64
    /// How many events are kept for browsers that come back.
    private static let mostRecent = 32
    /// How long a page without browsers is followed.
    static let rest = Duration.seconds(30)

    init(
        _ id: String, _ renderer: PageRenderer,
        follow: @escaping @Sendable () async throws -> AsyncThrowingStream<PageUpdate, any Error>
    ) {
        self.id = id
        self.renderer = renderer
        self.follow = follow
    }

    // Who found the page before it was ended may have had it followed again.
    deinit { following?.cancel() }

    // MARK: - Reading

    /// Returns the page from memory; nil if it must be asked for.
    func kept() -> Page? {
        lastUse = .now
        guard following != nil, askedAfter == changes, let page, !page.isLoading else { return nil }
        return page
    }

    /// The page as browsers show it; nil until it is known, and when no one follows it.
    var shown: Page? { page }

    /// Notes that something has been changed: the next request asks the modules.
    func outdate() { changes += 1 }

    /// Notes that the modules have been asked.
    ///
    /// - Parameter changes: how many changes there had been then. There may have been another one since.
    func noteAsked(after changes: Int) {
        askedAfter = max(askedAfter, changes)
        lastUse = .now
        start()
    }

    /// Returns the page from memory as it is sent to a browser to which nothing has to be said; nil if it must be asked
    /// for or rendered.
    func document(token: String) -> ByteBuffer? {
        guard let page = kept(), let document, document.revision == page.revision, document.token == token,
            document.look == renderer.places.look()?.version
        else {
            return nil
        }
        return document.bytes
    }

    /// Renders the page with nothing said to the person.
    ///
    /// - Parameter token: the token of the session, which says also whether the person has given the password.
    func rendered(_ page: Page, _ state: DocumentState, token: String) -> ByteBuffer {
        // If the look changes meanwhile, the document is rendered again.
        let look = renderer.places.look()?.version
        let bytes = ByteBuffer(bytes: renderer.document(page, state).bytes(token: token))
        document = (page.revision, token, look, bytes)
        return bytes
    }

    /// Returns what changes after a revision, beginning with the whole page if that is not known.
    func events(after revision: Int?) async throws -> (AsyncStream<Event>, reader: Int) {
        start()
        if page == nil, failure == nil { await withCheckedContinuation { waiters.append($0) } }
        if let failure { throw failure }
        let (stream, continuation) = AsyncStream<Event>.makeStream(
            bufferingPolicy: .bufferingOldest(PageHub.backlog))
        lastReader += 1
        for event in missed(since: revision) { continuation.yield(event) }
        readers[lastReader] = continuation
        lastUse = .now
        return (stream, lastReader)
    }

    /// Ends the stream of a browser.
    func leave(_ reader: Int) {
        readers.removeValue(forKey: reader)?.finish()
        lastUse = .now
    }

    /// Sends a sign of life to all browsers.
    func beat() { send(.beat) }

    /// Whether the page has not been asked for in a while.
    var isIdle: Bool { readers.isEmpty && waiters.isEmpty && lastUse.duration(to: .now) > PageHub.rest }

    /// Ends all streams.
    func end() {
        following?.cancel()
        following = nil
        for reader in readers.values { reader.finish() }
        readers = [:]
        resumeWaiters()
    }

    // MARK: - Following

    private func start() {
        guard following == nil else { return }
        failure = nil
        lastFollowing += 1
        following = Task { [weak self, follow, number = lastFollowing] in
            do {
                for try await update in try await follow() {
                    guard let self else { return }
                    await self.take(update, number)
                }
                await self?.stopped(nil, number)
            } catch {
                await self?.stopped(error, number)
            }
        }
    }

    private func take(_ update: PageUpdate, _ number: Int) {
        guard number == lastFollowing else { return }
        do throws(PageUpdateError) {
            if var current = page {
                let text = try renderer.operations(update, on: &current)
                // The first page of a stream that was begun anew may be the one that is known.
                guard current != page else { return }
                page = current
                change(text, revision: current.revision)
            } else if case .page(let first) = update {
                page = first
                // They have been shown one that an update did not fit.
                if !readers.isEmpty { change(renderer.operations(for: first), revision: first.revision) }
            }
        } catch {
            // The next one to follow begins with the whole page, and browsers that come back do so, too.
            page = nil
            recent = []
            following?.cancel()
            following = nil
            start()
        }
        resumeWaiters()
    }

    private func stopped(_ error: (any Error)?, _ number: Int) {
        guard following != nil, number == lastFollowing else { return }
        following = nil
        failure = error ?? PageError.deleted(id: id)
        page = nil
        recent = []
        let isGone = (error as? PageError).map { if case .deleted = $0 { true } else { false } } ?? false
        for reader in readers.values {
            if isGone { reader.yield(.gone) }
            // Otherwise the browser comes back, and is answered by the component that offers pages then.
            reader.finish()
        }
        readers = [:]
        resumeWaiters()
    }

    private func change(_ text: Rendered, revision: Int) {
        recent.append((text, revision))
        if recent.count > PageHub.mostRecent { recent.removeFirst() }
        send(.operations(text, revision: revision))
    }

    private func send(_ event: Event) {
        for (number, reader) in readers {
            guard case .dropped = reader.yield(event) else { continue }
            // It comes back, and is told what the page is then.
            readers.removeValue(forKey: number)?.finish()
        }
    }

    /// Returns what a browser that has the page in a revision does not know yet.
    private func missed(since revision: Int?) -> [Event] {
        guard let page, revision != page.revision else { return [] }
        if let revision, let index = recent.lastIndex(where: { $0.revision == revision }) {
            return recent[(index + 1)...].map { .operations($0.text, revision: $0.revision) }
        }
        var copy = page
        guard let text = try? renderer.operations(.page(page), on: &copy) else { return [.gone] }
        return [.operations(text, revision: page.revision)]
    }

    private func resumeWaiters() {
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}
