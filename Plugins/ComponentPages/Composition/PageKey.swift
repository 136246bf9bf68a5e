import ComponentKit
import PageKit

/// Which composition of a page is meant. What the modules answer depends on who asks, so each session has its own; calls
/// without a session share one. A page with other values is another page.
struct PageKey: Hashable, Sendable {
    let address: PageAddress
    let session: Session?
}
