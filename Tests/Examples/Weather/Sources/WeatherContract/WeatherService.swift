public import ComponentKit

/// Forecasts for cities.
@LinkService("com.example.weather/1")
public protocol WeatherService: Sendable {
    /// The next days, the first one first.
    ///
    /// - Throws: ``WeatherError``.
    func forecast(city: String, days: Int) async throws -> [Forecast]

    /// Calls `notify` for each day with a storm, and answers how many there are.
    func storms(city: String, notify: @escaping @Sendable (Forecast) async throws -> Void) async throws -> Int

    /// Temperatures, one for each that is read.
    func temperatures(city: String) async throws -> AsyncThrowingStream<Double, any Error>
}
