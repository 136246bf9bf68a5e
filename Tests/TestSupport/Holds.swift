/// Waits until a condition holds and does not throw.
///
/// - Parameter patience: how long to wait, multiplied by ``TestPatience/factor``; by default so long that only a broken
///   program needs it.
/// - Returns: Whether it held in time.
public func holds(
    within patience: Duration = .seconds(180), _ condition: () async throws -> Bool
) async -> Bool {
    let end = ContinuousClock.now + TestPatience.limit(patience)
    while (try? await condition()) != true {
        guard ContinuousClock.now < end else { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}
