import ComponentKit

/// Which composition of a page is meant. What the modules answer depends on who asks, so each session has its own; calls
/// without a session share one.
struct PageKey: Hashable, Sendable {
    let id: String
    let session: Session?
}
