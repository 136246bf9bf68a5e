import ComponentKit
import WeatherContract

/// The tides of harbours.
@LinkClass(provides: (any TidesService2).self)
final class Tides2Link: TidesService2 {
    func highTides(harbour: String) async throws -> [HighTide] {
        [HighTide(minute: 5 * 60 + 30, height: 410), HighTide(minute: 18 * 60, height: 395)]
    }
}

/// The first revision, for consumers that have not moved yet: it translates the answers of the second.
@LinkClass(provides: (any TidesService).self)
final class TidesLink: TidesService {
    private let link: Link

    init(_ context: ComponentContext) { link = context.link }

    func highTides(harbour: String) async throws -> [Int] {
        try await link.service(TidesService2Client.self).highTides(harbour: harbour).map { $0.minute / 60 }
    }
}
