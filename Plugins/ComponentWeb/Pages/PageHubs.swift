import ComponentKit
import PageKit

/// The pages that browsers show, each once for a session.
final class PageHubs: Sendable {
    private struct Key: Hashable {
        let session: Session
        let page: String
    }

    private struct State {
        var hubs: [Key: PageHub] = [:]
        var sweeping: Task<Void, Never>?
        var isEnded = false
    }

    private let link: Link
    private let keys: SessionKeys
    private let places: WebPlaces
    /// How many streams there may be.
    let streams: Shares
    private let state = Lock(State())

    /// The most pages that are kept: fewer than can be shown at a time, so that others can show some as well.
    private static let mostHubs = 1500
    /// How many of these are kept for streams: pages that are only asked for do not keep others from being followed.
    private static let hubsForStreams = 500
    /// The most pages of a session that are kept, so that one browser leaves room for others. Of a session, 100 can be
    /// shown at a time: a page with values that is not kept takes the place of another one.
    private static let mostInSession = 80
    /// How often browsers receive a sign of life, and pages that are no longer shown are looked for.
    private static let interval = Duration.seconds(10)

    init(_ link: Link, _ places: WebPlaces, keys: SessionKeys, streams: Shares) {
        self.link = link
        self.places = places
        self.keys = keys
        self.streams = streams
    }

    /// The service of pages, with its current provider.
    ///
    /// - Throws: a `LinkError` if no component provides it.
    func service() throws(LinkError) -> PageServiceClient { try link.service(PageServiceClient.self) }

    /// Renders pages for a session, in which alone the files can be asked for that they show.
    func renderer(of session: Session) -> PageRenderer {
        PageRenderer(places: places.signing { [keys] in keys.signature(ofFile: $1, of: $0, in: session) })
    }

    /// Returns the page of a session if it is kept.
    func known(_ page: String, of session: Session) -> PageHub? {
        state.withLock { $0.hubs[Key(session: session, page: page)] }
    }

    /// Forgets a page that cannot be followed, unless another one is kept in its place by now.
    func forget(_ page: String, of session: Session, hub: PageHub) {
        let key = Key(session: session, page: page)
        state.withLock { if $0.hubs[key] === hub { $0.hubs[key] = nil } }
        Task { await hub.end() }
    }

    /// Returns the page of a session, which is followed from its first stream on; nil while the server is ending, or if
    /// there are too many.
    func hub(_ page: String, of session: Session, forStream: Bool = false) -> PageHub? {
        let most = PageHubs.mostHubs - (forStream ? 0 : PageHubs.hubsForStreams)
        let key = Key(session: session, page: page)
        return state.withLock { state in
            if let hub = state.hubs[key] { return hub }
            guard !state.isEnded, state.hubs.count < most,
                state.hubs.keys.count(where: { $0.session == session }) < PageHubs.mostInSession
            else { return nil }
            let hub = PageHub(page, renderer(of: session)) { [weak self] in
                guard let self else { throw LinkError(.stopped) }
                return try await Session.with(session) { try await self.service().updates(id: page) }
            }
            state.hubs[key] = hub
            if state.sweeping == nil { state.sweeping = Task { [weak self] in await PageHubs.sweep { self } } }
            return hub
        }
    }

    /// Notes that something has been changed in a session: no page of it is answered from memory until its modules
    /// have been asked.
    func outdate(_ session: Session) async {
        for hub in state.withLock({ $0.hubs.filter { $0.key.session == session }.map(\.value) }) { await hub.outdate() }
    }

    /// Ends all pages of a session, and tells the browsers that show them.
    func end(_ session: Session) {
        let hubs = state.withLock { state in
            let keys = state.hubs.keys.filter { $0.session == session }
            return keys.compactMap { state.hubs.removeValue(forKey: $0) }
        }
        for hub in hubs { Task { await hub.end(isGone: true) } }
    }

    /// Ends all streams. There are none from now on.
    func end() {
        let (hubs, sweeping) = state.withLock { state in
            defer { state = State(isEnded: true) }
            return (Array(state.hubs.values), state.sweeping)
        }
        sweeping?.cancel()
        for hub in hubs { Task { await hub.end() } }
    }

    private static func sweep(_ hubs: () -> PageHubs?) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: interval)
            guard let hubs = hubs() else { return }
            for (key, hub) in hubs.state.withLock({ $0.hubs }) {
                await hub.beat()
                guard await hub.isIdle else { continue }
                hubs.forget(key.page, of: key.session, hub: hub)
            }
        }
    }
}
