/// Waits until a condition holds, for five minutes at most.
///
/// - Returns: Whether it came to hold.
func soon(_ condition: () async throws -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < end {
        if (try? await condition()) == true { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return false
}
