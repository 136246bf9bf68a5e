import Testing

/// Calls `body` with increasing times until the time suffices: on a busy machine the deadline of a call may pass before
/// its method begins.
///
/// - Parameters:
///   - first: the first time.
///   - body: returns whether the time sufficed.
func withMorePatience(
    from first: Duration = .milliseconds(20), _ body: (Duration) async throws -> Bool
) async rethrows {
    var patience = first
    while try await !body(patience) {
        guard patience < .seconds(60) else {
            Issue.record("not even \(patience) sufficed")
            return
        }
        patience *= 4
    }
}
