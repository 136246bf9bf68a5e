import ComponentKit
import WeatherContract

/// Warnings of wind.
@LinkClass("AlarmLink", provides: (any AlarmService).self)
final class AlarmLink: AlarmService {
    private let link: Link

    init(_ context: ComponentContext) { link = context.link }

    func watch(
        city: String, above speed: Double, notify: @escaping @Sendable (Forecast) async throws -> Void
    ) async throws -> Int {
        let weather = try link.service(WeatherServiceClient.self)
        var days = 0
        for day in try await weather.forecast(city: city, days: 7) {
            guard case .blowing(let wind, _) = day.wind, wind > speed else { continue }
            try await notify(day)
            days += 1
        }
        return days
    }
}
