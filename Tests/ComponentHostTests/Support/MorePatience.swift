import Testing

/// Calls `body` with increasing times until the time suffices: on a busy machine the deadline of a call may pass before
/// its method begins.
func withMorePatience(_ body: (Duration) async throws -> Bool) async rethrows {
    var patience = Duration.milliseconds(20)
    while try await !body(patience) {
        guard patience < .seconds(60) else {
            Issue.record("no call was begun within \(patience)")
            return
        }
        patience *= 4
    }
}
