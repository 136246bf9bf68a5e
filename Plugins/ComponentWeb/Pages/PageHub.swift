import ComponentKit
import Foundation
import NIOCore
import PageKit

/// A page as the browsers of one session see it: followed once, rendered once, sent to each of them.
///
/// The component that provides pages keeps the page; this keeps what of it has been rendered. It follows the page as long
/// as a browser shows it, and a little longer, so that the next request is answered from memory.
actor PageHub {
    /// What is sent to a browser.
    enum Event: Sendable {
        /// What to change, as JSON.
        case operations(Rendered, revision: Int)
        /// The page has been deleted, or the session has ended.
        case gone
        /// Nothing; so a connection that is gone is noticed.
        case beat
    }

    private let id: String
    private let renderer: PageRenderer
    private let follow: @Sendable () async throws -> AsyncThrowingStream<PageUpdate, any Error>
    /// The page as browsers show it, which the next update changes; nil until it is known, and when nobody follows it.
    private(set) var page: Page?
    private var failure: (any Error)?
    /// The task that follows the page. One that was cancelled may still be ending; what it says does not count.
    private var following: Task<Void, Never>?
    private var readers: [Int: AsyncStream<Event>.Continuation] = [:]
    private var lastReader = 0
    /// The last events, so that a browser which was away for a moment needs no whole page.
    private var recent: [(after: Int?, revision: Int, text: Rendered)] = []
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
    /// How many events are kept for browsers that come back, and how many bytes. A page as a whole is often smaller than
    /// more of them.
    private static let mostRecent = (events: 32, bytes: 1 << 17)
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
        while page == nil {
            if let failure { throw failure }
            guard following != nil else { throw LinkError(.stopped) }
            await withCheckedContinuation { waiters.append($0) }
        }
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
    ///
    /// - Parameter isGone: whether browsers shall not come back for the page, but load it anew.
    func end(isGone: Bool = false) {
        following?.cancel()
        if isGone { for reader in readers.values { reader.yield(.gone) } }
        forget()
    }

    // MARK: - Following

    private func start() {
        guard following == nil else { return }
        failure = nil
        following = Task { [weak self, follow] in
            do {
                var fits: Bool
                repeat {
                    // Also of a stream that ends before its first update.
                    fits = true
                    for try await update in try await follow() {
                        guard let self else { return }
                        fits = await self.take(update)
                        if !fits { break }
                    }
                } while !fits && !Task.isCancelled
                await self?.stopped(nil)
            } catch {
                await self?.stopped(error)
            }
        }
    }

    /// - Returns: False if the update was made for another state of the page, which must be followed anew then.
    private func take(_ update: PageUpdate) -> Bool {
        guard !Task.isCancelled else { return true }
        defer { resumeWaiters() }
        guard var next = page else {
            guard case .page(let first) = update else { return true }
            page = first
            // They have been shown one that an update did not fit.
            if !readers.isEmpty { change(renderer.operations(for: first), after: nil, revision: first.revision) }
            return true
        }
        do throws(PageUpdateError) {
            let after = next.revision
            let text = try renderer.operations(update, on: &next)
            page = next
            change(text, after: after, revision: next.revision)
            return true
        } catch {
            // What follows begins with the whole page, also for browsers that come back.
            (page, recent) = (nil, [])
            return false
        }
    }

    private func stopped(_ error: (any Error)?) {
        guard !Task.isCancelled else { return }
        failure = error ?? PageError.deleted(id: id)
        if case PageError.deleted? = error { for reader in readers.values { reader.yield(.gone) } }
        // Otherwise the browsers come back, and are answered by the component that offers pages then.
        forget()
    }

    /// Keeps nothing of the page any more, and ends all streams.
    private func forget() {
        (following, page, recent, document) = (nil, nil, [], nil)
        for reader in readers.values { reader.finish() }
        readers = [:]
        resumeWaiters()
    }

    private func change(_ text: Rendered, after: Int?, revision: Int) {
        recent.append((after, revision, text))
        while recent.count > PageHub.mostRecent.events
            || recent.reduce(0, { $0 + $1.text.bytes.count }) > PageHub.mostRecent.bytes
        {
            recent.removeFirst()
        }
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
        if let revision, let index = recent.firstIndex(where: { $0.after == revision }) {
            return recent[index...].map { .operations($0.text, revision: $0.revision) }
        }
        return [.operations(renderer.operations(for: page), revision: page.revision)]
    }

    private func resumeWaiters() {
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}
