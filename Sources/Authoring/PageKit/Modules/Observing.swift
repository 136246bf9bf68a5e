public import ComponentKit
import Observation

extension PageContext {
    /// Makes a view from a view model, and has the page ask the module again when the view model has changed.
    ///
    /// ```swift
    /// @PageModule("weather.sky")
    /// func sky(_ context: PageContext) -> some View {
    ///     context.observing(events) { Stat("Sky", model.sky) }
    /// }
    /// ```
    ///
    /// Each property of an `@Observable` object that the closure has read counts, and only those. The view model belongs
    /// to the actor of the function, such as a link class that is an actor, and is changed there only: the page asks again
    /// when the code that has changed it leaves the actor.
    ///
    /// Only the last view counts that was made for a section of a page in a session. So make the whole view in one
    /// closure: a second call for the same section ends the observation of the first one.
    ///
    /// - Parameters:
    ///   - events: the events of the component, by which the page is told.
    ///   - isolation: the actor that the view model belongs to.
    ///   - view: makes the view. What it reads is observed until the first change; then the module is asked again.
    /// - Returns: the view.
    public func observing<Content: View>(
        _ events: Events, isolation: isolated (any Actor)? = #isolation, _ view: () -> Content
    ) -> Content {
        let host = events.link.backend
        let observed = ObservedView(of: self, host: ObjectIdentifier(host), session: .current)
        let content = withObservationTracking {
            _ = observed.state
            return view()
        } onChange: { [weak actor = isolation, weak host] in
            // What waits for a change, which may never come, keeps neither the actor nor the host.
            guard let host, ObservedViews.shared.announce(observed) else { return }
            let actor = actor
            // This is called before the property has its new value.
            Task { await observed.post(to: Events(Link(host)), on: actor) }
        }
        ObservedViews.shared.keep(observed)
        return content
    }
}

extension ObservedView {
    fileprivate func post(to events: Events, on actor: isolated (any Actor)?) {
        var change = PageModuleChanged(context.module, page: context.page, section: context.section)
        guard state == .current else {
            change.sessionOnly = true
            return Session.with(session) { events.post(change) }
        }
        ObservedViews.shared.beginPost(of: self)
        events.post(change)
    }
}
