import ComponentKit
import PageKit

/// The model, which knows nothing of pages.
actor RainGauge {
    private(set) var millimetres = 12

    func empty() { millimetres = 0 }
}

/// The view, a function of what it is given.
enum RainView {
    static func level(_ millimetres: Int) -> some View {
        Stack {
            Stat("Rain", "\(millimetres) mm")
            Button("Empty the gauge", .call("empty"))
        }
    }
}

/// The controller, which reads the model for the view, and does what people choose there.
@LinkClass
final class RainController {
    private let gauge = RainGauge()
    private let events: Events

    init(_ context: ComponentContext) { events = context.events }

    @PageModule("weather.rain")
    func rain(_ context: PageContext) async -> some View { RainView.level(await gauge.millimetres) }

    @Selector func empty() async {
        await gauge.empty()
        events.post(PageModuleChanged("weather.rain"))
    }
}
