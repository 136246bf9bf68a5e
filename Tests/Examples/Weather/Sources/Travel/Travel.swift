import ComponentKit
import WeatherContract

/// Packs suitcases.
@Component(version: "1.0.0", requires: [.service((any WeatherService).self)])
struct Travel {}

/// What to take along.
@LinkClass
final class TravelLink {
    private let link: Link

    init(_ context: ComponentContext) { link = context.link }

    /// The luggage for some days in a city.
    @Selector func luggage(city: String, days: Int = 3) async throws -> [String] {
        let weather = try link.service(WeatherServiceClient.self)
        let forecast = try await weather.forecast(city: city, days: days)
        return forecast.contains { $0.sky == .snow } ? ["coat", "boots"] : ["sunglasses"]
    }
}
