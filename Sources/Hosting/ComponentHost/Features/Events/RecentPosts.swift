import ComponentKit
import HostContract
import Synchronization

/// The events that were posted last. They are recorded only while a client asks for them, because a host may post many.
final class RecentPosts: Sendable {
    /// For how long posts are recorded after the last question.
    static let patience = Duration.seconds(60)

    private struct State {
        var posts = NumberedRing<EventPost>()
        /// When a client asked last.
        var asked: ContinuousClock.Instant
    }

    private let state = Lock(State(asked: .now))
    private let isOn = Atomic(false)

    /// Whether posts are recorded.
    @inline(__always)
    var isRecording: Bool { isOn.load(ordering: .relaxed) }

    /// Records a post, or ends the recording if no client has asked for a while.
    ///
    /// - Parameters:
    ///   - handlers: the handlers that it is delivered to.
    ///   - now: the current time.
    func record(
        _ event: String, to handlers: [EventHandler], isSticky: Bool, now: ContinuousClock.Instant = .now
    ) {
        let count = handlers.count { $0.isReachable }
        state.withLock { state in
            guard isRecording else { return }
            guard now - state.asked <= RecentPosts.patience else {
                isOn.store(false, ordering: .relaxed)
                // Those who ask again later would not see what is missing in between.
                return state.posts.removeAll()
            }
            let time = Timestamp.now
            state.posts.append { number in
                EventPost(number: number, time: time, event: event, handlers: count, isSticky: isSticky)
            }
        }
    }

    /// Returns the posts after the one with this number, oldest first, or all that are kept if it is nil; and records
    /// those that follow.
    func posts(after number: Int?, now: ContinuousClock.Instant = .now) -> [EventPost] {
        state.withLock { state in
            state.asked = now
            isOn.store(true, ordering: .relaxed)
            return state.posts.elements(after: number)
        }
    }
}

extension EventHandler {
    /// Whether an event that is posted now reaches it: its component is loaded, or is loaded for it.
    var isReachable: Bool { unit == nil || isBound || loads || unit?.isHost == true }
}
