#if CommandLine || ServiceLifecycle
    import ComponentKit
    public import ServiceLifecycle

    /// A host is one of the services of an application, which are started and stopped in order:
    ///
    /// ```swift
    /// let group = ServiceGroup(services: [host, server], gracefulShutdownSignals: [.sigterm], logger: logger)
    /// try await group.run()
    /// ```
    ///
    /// Put it before services that call components: a group stops its services in the reverse order.
    extension LinkHost: Service {
        /// Starts the host as ``start()`` does, waits until its service group shuts down, or the task is cancelled, and
        /// then stops the host, as ``stop(timeout:)`` does with ``HostOptions/stopTimeout``. What is still running then
        /// is logged.
        ///
        /// The host answers calls from the moment it is created, before this function runs. It must not be stopped by
        /// anything else while the group runs.
        public func run() async throws {
            await withTaskCancellationOrGracefulShutdownHandler {
                _ = await start()
            } onCancelOrGracefulShutdown: { [self] in
                endStart()
            }
            // Throws when the task is cancelled, because another service has failed. The host is stopped then, too.
            try? await gracefulShutdown()
            let report = await stop(timeout: stopTimeout)
            guard report.cancelledCalls > 0 else { return }
            core.log(.warning, "stopped; \(report.cancelledCalls) calls in flight were cancelled")
        }
    }
#endif
