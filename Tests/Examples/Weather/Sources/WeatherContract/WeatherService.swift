public import ComponentKit

/// Forecasts for cities.
@LinkService("com.example.weather/1")
public protocol WeatherService: Sendable {
    /// Returns the forecast for the next days, in order.
    ///
    /// - Throws: ``WeatherError``.
    func forecast(city: String, days: Int) async throws -> [Forecast]

    /// Calls `notify` for each day with a storm, and returns the number of these days.
    func storms(city: String, notify: @escaping @Sendable (Forecast) async throws -> Void) async throws -> Int

    /// Returns temperatures, each produced on request.
    func temperatures(city: String) async throws -> AsyncThrowingStream<Double, any Error>
}
