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
    /// - Parameters:
    ///   - events: the events of the component, by which the page is told.
    ///   - isolation: the actor that the view model belongs to.
    ///   - view: makes the view. What it reads is observed until the first change; then the module is asked again.
    /// - Returns: the view.
    public func observing<Content: View>(
        _ events: Events, isolation: isolated (any Actor)? = #isolation, _ view: () -> Content
    ) -> Content {
        let change = PageModuleChanged(module, page: page, section: section)
        return withObservationTracking(view) {
            // This is called before the property has its new value.
            Task { await change.post(to: events, on: isolation) }
        }
    }
}

extension PageModuleChanged {
    fileprivate func post(to events: Events, on actor: isolated (any Actor)?) { events.post(self) }
}
