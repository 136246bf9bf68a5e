import ComponentKit

/// The pages that are kept, and who uses them. All are composed anew when they are asked for again, so those that nobody
/// uses make room for others.
struct ShownPages {
    private struct Shown {
        let page: LivePage
        /// How many callers and readers use the page now, and how many ever have.
        var users = 0
        var uses = 0
        /// The number of the last use, of all pages together.
        var lastUse = 0
    }

    private var all: [PageKey: Shown] = [:]
    private var lastUse = 0
    private let limits: PageLimits

    init(_ limits: PageLimits) { self.limits = limits }

    var isEmpty: Bool { all.isEmpty }
    var pages: [LivePage] { all.values.map(\.page) }

    /// Begins a use of the page with a key.
    ///
    /// - Parameters:
    ///   - make: makes the page if it is not there.
    ///   - gone: receives a page that has made room for it.
    /// - Throws: `LinkError` if there is no room.
    mutating func begin(
        _ key: PageKey, make: () -> LivePage, gone: (LivePage) -> Void
    ) throws(LinkError) -> LivePage {
        lastUse += 1
        if all[key] == nil {
            if let session = key.session, all.keys.count(where: { $0.session == session }) >= limits.ofSession {
                gone(try makeRoom(in: { $0.session == session }, "\(limits.ofSession) pages of a session"))
            } else if all.count >= limits.all {
                gone(try makeRoom(in: { _ in true }, "\(limits.all) pages"))
            }
        }
        var shown = all[key] ?? Shown(page: make())
        shown.users += 1
        shown.uses += 1
        shown.lastUse = lastUse
        all[key] = shown
        return shown.page
    }

    /// Begins another use of a page, for a reader.
    mutating func hold(_ page: LivePage) {
        guard all[page.key]?.page === page else { return }
        all[page.key]?.users += 1
    }

    /// Forgets the page that has not been used for longest.
    private mutating func makeRoom(
        in isMeant: (PageKey) -> Bool, _ limit: String
    ) throws(LinkError) -> LivePage {
        let idle = all.filter { $0.value.users == 0 && isMeant($0.key) }
        guard let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
            throw LinkError(.methodFailed, message: "more than \(limit) are shown at a time; close one")
        }
        all[oldest.key] = nil
        return oldest.value.page
    }

    /// Ends a use of a page.
    mutating func end(_ page: LivePage) {
        guard all[page.key]?.page === page else { return }
        all[page.key]?.users -= 1
    }

    /// How often a page has been used; nil if it is not kept.
    func uses(of page: LivePage) -> Int? { all[page.key].flatMap { $0.page === page ? $0.uses : nil } }

    /// Forgets a page unless a reader uses it, or has begun to since it was looked at.
    ///
    /// - Returns: Whether it is forgotten now.
    mutating func remove(_ page: LivePage, usedOften uses: Int?) -> Bool {
        guard let shown = all[page.key], shown.page === page, shown.users == 0, shown.uses == uses else { return false }
        all[page.key] = nil
        return true
    }

    /// Forgets all pages.
    mutating func removeAll() { all = [:] }
}

/// How many pages are kept at a time.
struct PageLimits: Sendable {
    /// Of all sessions together.
    var all: Int
    /// Of one session, so that one cannot push out the others.
    var ofSession = 100
}
