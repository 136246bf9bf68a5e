import ComponentKit
import Observation
import PageKit

/// The state of the sky, for a view.
@Observable
final class SkyModel {
    private(set) var sky = "clear"

    func change(to sky: String) { self.sky = sky }
}

/// The sky as it is now. The view model belongs to this actor.
@LinkClass
actor SkyPages {
    private let model = SkyModel()
    private let events: Events

    init(_ context: ComponentContext) { events = context.events }

    /// A view that follows its view model.
    @PageModule("weather.sky")
    func sky(_ context: PageContext) -> some View {
        context.observing(events) { Stat("Sky", model.sky) }
    }

    /// Changes the sky.
    @Selector func cover(with clouds: String) { model.change(to: clouds) }
}
