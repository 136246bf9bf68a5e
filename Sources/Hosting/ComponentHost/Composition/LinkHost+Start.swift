import ComponentKit

extension LinkHost {
    /// Loads the components that start with the host, marked `@Component(starts: .withHost)`: by priority, and each
    /// after what it requires. Then delivers `HostStarted` and waits for its handlers.
    ///
    /// A component that cannot be loaded is reported, and the others still start. A host answers calls even
    /// without having been started. Calling this again has no effect; ``run()`` calls it. When the host is stopped
    /// meanwhile, this returns at once; the component under way is the last one that starts, and `HostStarted` is not
    /// delivered.
    ///
    /// - Returns: The components that started, and those that could not; empty the second time.
    @discardableResult
    public func start() async -> StartReport {
        await awaitResume { [core] resume in core.start(resume) }
    }

    /// Lets no further component start with the host, which is about to be stopped, and ends ``start()``. Does not wait.
    package func endStart() { core.startRuns.end() }
}
