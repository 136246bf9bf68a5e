import ComponentKit
import WeatherContract

/// Warnings of storms.
@LinkClass
final class StormLink {
    private let context: ComponentContext

    init(_ context: ComponentContext) { self.context = context }

    /// Tells everyone, and waits for no one.
    @Selector func announce(city: String, speed: Double) {
        context.events.post(StormExpected(city: city, speed: speed), sticky: true)
    }

    /// Tells everyone, and returns the number of those who have prepared for the storm.
    @Selector func prepare(city: String, speed: Double) async -> Int {
        let outcome = await context.events.deliver(StormExpected(city: city, speed: speed))
        for failure in outcome.failures {
            context.link.log(.warning, "\(failure.component) is not prepared: \(failure.error.message)")
        }
        return outcome.handled
    }
}
