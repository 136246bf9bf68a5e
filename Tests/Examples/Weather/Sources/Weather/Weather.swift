import ComponentKit
import WeatherContract

/// Forecasts for a few cities.
@Component(version: "1.0.0", layer: .common)
struct Weather {
    private let link: Link

    init(_ context: ComponentContext) {
        link = context.link
        link.log(.debug, "forecasts for the component in \(context.directory)")
    }

    func stop() { link.log(.debug, "no more forecasts") }
}

/// The weather of cities.
@LinkClass("WeatherLink", provides: (any WeatherService).self)
final class WeatherLink: WeatherService {
    private static let skies: [String: Sky] = ["Oslo": .snow, "Rome": .clear]
    private static let limit = 7

    func forecast(city: String, days: Int) async throws -> [Forecast] {
        guard let sky = WeatherLink.skies[city] else { throw WeatherError.unknownCity(name: city) }
        guard (1...WeatherLink.limit).contains(days) else { throw WeatherError.tooFarAhead(limit: WeatherLink.limit) }
        return (1...days).map { day in
            Forecast(high: Double(20 + day), sky: sky, wind: day == 1 ? .calm : .blowing(speed: 12.5, from: "NW"))
        }
    }

    func storms(city: String, notify: @escaping @Sendable (Forecast) async throws -> Void) async throws -> Int {
        let stormy = try await forecast(city: city, days: WeatherLink.limit).filter { $0.wind != .calm }
        for day in stormy { try await notify(day) }
        return stormy.count
    }

    func temperatures(city: String) async throws -> AsyncThrowingStream<Double, any Error> {
        let days = try await forecast(city: city, days: WeatherLink.limit)
        return AsyncThrowingStream { continuation in
            for day in days { continuation.yield(day.high) }
            continuation.finish()
        }
    }
}
