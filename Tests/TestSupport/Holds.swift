/// Waits until a condition holds and does not throw.
///
/// - Parameter patience: how long to wait, multiplied by ``TestPatience/factor``; by default so long that only a broken
///   program needs it.
/// - Returns: Whether it held in time.
public func holds(
    within patience: Duration = .seconds(180), _ condition: () async throws -> Bool
) async -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + TestPatience.limit(patience)
    while true {
        let start = clock.now
        if (try? await condition()) == true { return true }
        let now = clock.now
        guard now < end else { return false }
        // A condition that takes long, because it asks for a page or starts a program, would keep a core from what it
        // waits for.
        let pause = start.duration(to: now) * 2
        try? await Task.sleep(for: min(max(pause, .milliseconds(2)), .milliseconds(100)))
    }
}
