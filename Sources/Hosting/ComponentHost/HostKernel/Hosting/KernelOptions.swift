import ComponentCatalog
import ComponentKit

/// What units, loading and calls need to know of a host's options.
struct KernelOptions: Sendable {
    /// Who may own and change plugin files and their folders.
    let trust: TrustPolicy
    /// Whether components of other compilers are loaded.
    let allowsOtherCompilers: Bool
    /// Whether payloads with keys that a selector does not declare are refused.
    let refusesUndeclaredKeys: Bool
    /// Whether open calls are kept with the time of their beginning.
    let watchesCalls: Bool
    /// How many threads may run methods of one component whose calls have ended.
    let stuckLimit: Int
    /// How long such a method may keep running before it counts as stuck.
    let stuckPatience: Duration
    /// How many calls to one component run at a time.
    let concurrencyLimit: Int
    /// How many threads may carry out methods at a time.
    let threadLimit: Int
    /// How many more threads may sleep inside methods until their own calls have ended.
    let sleeperLimit: Int
    /// How many threads may carry out callbacks and handlers at a time.
    let callerThreadLimit: Int
    /// How long a call waits for a start that may be waiting for it.
    let startPatience: Duration
    /// Replaces the services and models that the program was compiled with; nil for those.
    let contract: Contract?
    /// Receives how long components take, from any thread; nil if no one wants to know.
    let recordTime: (@Sendable (_ time: Duration, _ activity: ComponentTime.Activity, _ component: String) -> Void)?
    /// Receives the lines of the log, from any thread and with any lock held.
    let write: @Sendable (_ level: LogLevel, _ message: String, _ component: String) -> Void

    /// Writes a line to the host's log.
    func log(_ level: LogLevel, _ message: String, component: String) { write(level, message, component) }
}
