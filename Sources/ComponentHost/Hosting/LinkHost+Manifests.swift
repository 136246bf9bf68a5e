import ComponentKit

extension LinkHost {
    /// What components that can be called say about themselves: of one in memory what it says, not what lies in its
    /// place by now.
    package var runningManifests: [Manifest] {
        core.registry.contents.withLock { $0.components }.map(\.manifest)
    }
}
