import ComponentKit
import HostContract
import PageKit

/// The console of a host, as pages: its components and what is wrong with them, routes, events, the log and counters.
///
/// Dropped into the directory of a host that shows pages, it adds the page `console`, pages about routes, events, the log,
/// counters and times, and a page for each component. What they show, they ask the host's own service. Operators allow what
/// would do more than show:
///
/// ```json
/// {"ComponentConsole": {"calls": true, "changes": true}}
/// ```
@Component(
    version: "1.0.0", layer: .common, requires: [.service((any HostService).self)], posts: [PageModuleChanged.self],
    configuration: ConsoleOptions.self)
struct ComponentConsole {
    let settings: ConsoleSettings
    let host: HostReader
    let watch: ModuleWatch
    let desk: CallDesk
    let activity: ActivityRecorder
    let events: Events
    private let context: ComponentContext

    init(_ context: ComponentContext) throws {
        self.context = context
        events = context.events
        let settings = ConsoleSettings(try ConsoleOptions.read(context))
        self.settings = settings
        let host = HostReader(context)
        self.host = host
        watch = ModuleWatch(
            interval: { .seconds(settings.options.interval) },
            post: { [events] place in events.post(PageModuleChanged(place.module, page: place.page)) })
        desk = CallDesk(context.link)
        activity = ActivityRecorder { CallFigures(try await host.counters().others) }
    }

    /// Reads the new values, and shows what is allowed now.
    @On func configurationChanged(_ event: ConfigurationChanged) throws {
        guard event.components.contains(context.name) else { return }
        settings.options = try ConsoleOptions.read(context)
        for module in ConsoleModule.dependingOnOptions { events.post(PageModuleChanged(module.rawValue)) }
    }

    func stopping() {
        watch.end()
        desk.end()
        activity.end()
    }
}

extension ComponentContext {
    /// The console that link classes belong to.
    var console: ComponentConsole {
        get throws(LinkError) {
            guard let console = component as? ComponentConsole else {
                throw LinkError(.stopped, message: "ComponentConsole has been stopped")
            }
            return console
        }
    }
}
