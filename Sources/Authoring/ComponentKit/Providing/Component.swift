/// The lifecycle of a component: the type marked `@Component`, or named by `"type"` in a manifest.
///
/// There is one value for each host that loads the component.
public protocol Component: Sendable {
    /// Starts the component, on the thread of the first call to it. It may call other components through
    /// `context.link`.
    ///
    /// - Throws: The reason the component cannot start; its state is then failed, with that reason.
    init(_ context: ComponentContext) throws

    /// Notifies the component that its host is stopping. Called once, on the thread that stops the host, before the
    /// host waits for the threads and tasks that are running in the component. Use it to wake code that is waiting for
    /// something else. Must not block.
    func stopping()

    /// Stops the component, after its last method has returned.
    func stop()
}

extension Component {
    /// Does nothing.
    public func stopping() {}

    /// Does nothing.
    public func stop() {}
}
