import ComponentKit
import PageKit

/// Counts in how many sessions each page has readers, and posts when it appears to the first and disappears from the last.
final class PageReaders: Sendable {
    private struct State {
        /// By the ids of pages.
        var sessions: [String: Int] = [:]
        var waiting: [PageEvent] = []
        var isPosting = false
    }

    private let events: Events
    private let state = Lock(State())

    init(_ events: Events) { self.events = events }

    /// The page has readers in one more session.
    func appeared(_ id: String) {
        post { state in
            state.sessions[id, default: 0] += 1
            return state.sessions[id] == 1 ? PageEvent(.appeared, page: id) : nil
        }
    }

    /// The page has no readers any more in a session.
    func disappeared(_ id: String) {
        post { state in
            state.sessions[id, default: 0] -= 1
            guard state.sessions[id] == 0 else { return nil }
            state.sessions[id] = nil
            return PageEvent(.disappeared, page: id)
        }
    }

    /// Posts in the order of the changes: another session may change the count while handlers run.
    private func post(_ change: (inout State) -> PageEvent?) {
        var next = state.withLock { state -> PageEvent? in
            guard let event = change(&state) else { return nil }
            state.waiting.append(event)
            return PageReaders.take(&state)
        }
        while let event = next {
            // It is about all sessions.
            Session.with(nil) { events.post(event) }
            next = state.withLock { state in
                state.isPosting = false
                return PageReaders.take(&state)
            }
        }
    }

    /// The next event to be posted; nil if there is none, or if another thread posts it.
    private static func take(_ state: inout State) -> PageEvent? {
        guard !state.isPosting, !state.waiting.isEmpty else { return nil }
        state.isPosting = true
        return state.waiting.removeFirst()
    }
}
