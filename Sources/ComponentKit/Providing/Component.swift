/// The life of a component, for those that need more than link classes: named as `"type"` in the manifest.
///
/// There is one value for each host that loads the component.
public protocol Component: AnyObject, Sendable {
    /// Starts the component, on the thread of the first call to it. May call other components through
    /// `context.link`.
    ///
    /// - Throws: why it cannot start; the component then counts as failed, with that reason.
    init(_ context: ComponentContext) throws

    /// Ends the component, after its last method has returned.
    func stop()
}

extension Component {
    /// Does nothing.
    public func stop() {}
}
