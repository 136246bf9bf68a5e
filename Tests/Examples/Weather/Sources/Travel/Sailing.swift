import ComponentKit
import WeatherContract

/// When ships leave.
@LinkClass
final class SailingLink {
    private let link: Link

    init(_ context: ComponentContext) { link = context.link }

    /// The hour of the first high tide, from a provider of either revision.
    @Selector func departure(harbour: String) async throws -> Int? {
        if link.provides(TidesService2Client.self) {
            let tides = try await link.service(TidesService2Client.self).highTides(harbour: harbour)
            return tides.first.map { $0.minute / 60 }
        }
        return try await link.service(TidesServiceClient.self).highTides(harbour: harbour).first
    }
}
