public import ComponentKit

/// Warnings of wind.
@LinkService("com.example.alarm/1")
public protocol AlarmService: Sendable {
    /// Calls `notify` for each day with a wind above `speed`, and returns the number of these days.
    @Route("weather://alarm/:city")
    func watch(
        city: String, above speed: Double, notify: @escaping @Sendable (Forecast) async throws -> Void
    ) async throws -> Int
}
