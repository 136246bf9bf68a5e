/// The life of a component: the type marked `@Component`, or named as `"type"` in a manifest.
///
/// There is one value for each host that loads the component.
public protocol Component: Sendable {
    /// Starts the component, on the thread of the first call to it. May call other components through
    /// `context.link`.
    ///
    /// - Throws: why it cannot start; the component then counts as failed, with that reason.
    init(_ context: ComponentContext) throws

    /// The host begins to end the component: called once, on the thread that stops the host, before the host waits for
    /// the threads and tasks inside of the component. What waits there for something else to happen is woken here.
    /// Must not block.
    func stopping()

    /// Ends the component, after its last method has returned.
    func stop()
}

extension Component {
    /// Does nothing.
    public func stopping() {}

    /// Does nothing.
    public func stop() {}
}
