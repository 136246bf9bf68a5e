import ComponentHost
public import ComponentKit

/// A component in a listing.
@Model public struct ComponentRow: Sendable {
    /// Its name.
    public var name: String
    /// The version that is used.
    public var version: String
    /// Its layer, where it says one.
    public var layer: String?
    /// As in "available"; see `ComponentState`.
    public var state: String
    /// Absolute path of its file; nil when it is linked into the program.
    public var file: String?
    /// Why it is not to be had, or what there is to say; empty when there is nothing.
    public var reason: String
    /// The kind of failure, as in "requirementNotMet"; nil where there is none.
    public var code: String?
    /// Calls that have begun and not ended.
    public var callsInFlight: Int
    /// Threads that are inside it for calls that have ended.
    public var stuckCalls: Int
    /// Work of its own that goes on beyond its calls, as tasks of asynchronous methods.
    public var openWork: Int = 0
    /// The version that a restart would use in place of the one in memory; nil when that is the same file.
    public var restartVersion: String?
    /// Whether it is in memory and its file is gone.
    public var isFileGone: Bool

    init(_ info: ComponentInfo) {
        name = info.name
        version = "\(info.manifest.version)"
        layer = info.manifest.layer
        state = "\(info.state)"
        file = info.path
        reason = info.reason
        if case .failed(let error) = info.state { code = "\(error.code)" }
        callsInFlight = info.callsInFlight
        stuckCalls = info.stuckCalls
        openWork = info.openWork
        isFileGone = info.onDisk == .gone
        if case .replaced(let version, _) = info.onDisk { restartVersion = "\(version)" }
    }
}
