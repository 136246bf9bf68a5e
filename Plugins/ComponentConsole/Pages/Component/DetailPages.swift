import ComponentKit
import HostContract
import PageKit

/// What the page of a component shows.
@LinkClass("ConsoleComponent")
final class DetailPages {
    private let console: ComponentConsole

    init(_ context: ComponentContext) throws { console = try context.console }

    /// The state of the component, why it cannot be used, and what would make it available.
    @PageModule("console.component")
    func status(_ context: PageContext, data: ConsoleSubject) async throws -> some View {
        let status = try await console.watch.follow(context, about: data.component) { [host = console.host] in
            ComponentStatus(data.component, in: try await host.service().contents(), host.observers())
        }
        return ComponentView.status(status, isAllowed: console.settings.options.changes)
    }

    /// What the host has counted of its methods.
    @PageModule("console.component.counters")
    func counters(_ context: PageContext, data: ConsoleSubject) async throws -> some View {
        let list = try await console.watch.follow(context, about: data.component) { [host = console.host] in
            var list = try await host.counters()
            list.methods.removeAll { $0.component != data.component }
            return list
        }
        return CounterViews.table(list.methods, in: context)
    }

    /// Everything that it declares, and what the host makes of it.
    @PageModule("console.component.parts")
    func parts(_ context: PageContext, data: ConsoleSubject) async throws -> some View {
        guard let details = try await console.host.details(of: data.component) else {
            return ComponentView.missing(data.component).node
        }
        return PartsView.parts(await ComponentParts(details, console.host), in: context).node
    }

    /// A form that calls a method, and the last answer of the session.
    @PageModule("console.component.call")
    func calling(_ context: PageContext, data: ConsoleSubject) async throws -> some View {
        guard console.settings.options.calls else { return CallView.refused().node }
        guard let details = try await console.host.details(of: data.component) else {
            return ComponentView.missing(data.component).node
        }
        return CallView.call(
            CallState(
                data.component, ManifestState(details.manifest), chosen: console.desk.chosen[data.component],
                record: console.desk.record(of: data.component))
        ).node
    }

    // MARK: - What people choose

    /// Loads a component.
    @Selector func load(component: String) async throws -> String {
        try console.settings.expect(.changes)
        do {
            try await console.host.service().load(component: component)
        } catch let error as LinkError {
            throw told(error.chain)
        }
        return "\(component.oneLine(120)) is loaded."
    }

    /// Makes a component that has failed available again.
    @Selector func retry(component: String) async throws -> String {
        try console.settings.expect(.changes)
        let isAvailable = try await console.host.service().retry(component: component)
        return isAvailable
            ? "\(component.oneLine(120)) is loaded with the next call."
            : "Its files must change before it can be loaded."
    }

    /// Chooses the method whose form is shown in the session of the caller.
    @Selector func choose(component: String, method: String) throws {
        try console.settings.expect(.calls)
        console.desk.chosen[component] = method
        console.events.postChosen(.componentCall)
    }

    static let rows: [LinkMethod<DetailPages>] = [
        // The keys of the payload are the parameters of the method that is called.
        .asyncMethod("perform") { pages, payload -> Payload in
            try await pages.perform(payload)
            return .null
        }
    ]

    private func perform(_ payload: Payload) async throws {
        try console.settings.expect(.calls)
        let target = payload[CallForm.targetKey] ?? .null
        let component = target.text("component")
        let form = try await form(of: target.text("method"), of: component)
        let arguments = try form.arguments(payload)
        let events = console.events
        await console.desk.perform(form.selector, of: component, arguments, written: form.kept(of: payload)) {
            events.postChosen(.componentCall)
        }
    }

    /// A failure whose exact reason is shown: the console is for operators.
    private func told(_ message: String) -> PageError { .actionFailed(message: message, forPeople: nil) }

    /// Only what the manifest of a component declares for callers is called.
    private func form(of method: String, of component: String) async throws -> CallForm {
        guard let details = try await console.host.details(of: component) else {
            throw told("there is no component \(component.oneLine(120)) now")
        }
        let manifest = ManifestState(details.manifest)
        guard let selector = manifest.callable.first(where: { $0.label == method }) else {
            throw told("\(component.oneLine(120)) declares no method \(method.oneLine()) for callers")
        }
        return CallForm(selector, manifest)
    }
}
