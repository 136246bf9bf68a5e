import ComponentKit
import WeatherContract

/// Plans, which change with the weather.
@LinkClass
final class PlansLink {
    private let cancelled = Lock<[String]>([])

    /// Cancels what is planned for the city.
    @On(.loads) func cancel(_ event: StormExpected) async throws { cancelled.withLock { $0.append(event.city) } }

    /// Called first, and on the poster's thread.
    @Selector(.quick) @On(priority: 10) func note(_ event: StormExpected) {}

    /// Handles an event without its contract.
    @On("com.example.news/published") func read(_ story: Payload) {}

    /// Frees memory when it runs short.
    @On func forget(_ event: MemoryPressure) { cancelled.withLock { $0 = [] } }

    /// The cities that are not visited.
    @Selector func cancellations() -> [String] { cancelled.withLock { $0 } }
}
