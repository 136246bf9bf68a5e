public import Logging

/// What a host does differently from the usual.
public struct HostOptions: Sendable {
    /// Who may own and change plugin files and their folders.
    public var trust = TrustPolicy.strict

    /// Takes components that share the Swift runtime although another compiler built them. Their Swift
    /// types may not fit: a crash is then nobody's fault.
    public var allowsOtherCompilers = false

    /// Refuses payloads with keys that the selector of the manifest does not declare, for development: a misspelt key of an
    /// optional parameter is not seen otherwise. Elsewhere keys that a method does not know are passed over, since a newer
    /// caller may send more; and a selector that declares no parameters may read any key.
    public var refusesUndeclaredKeys = false

    /// How many threads of the host may be inside one component for calls that have ended more than a second ago, by
    /// a deadline, a cancellation or a reply; calls to it fail as stuck from then on, until some return. No more than
    /// ``concurrencyLimit``.
    public var stuckLimit = 16

    /// How many calls run inside one component at a time on threads of the host; more wait their turn. One that sleeps until
    /// a call of its own has ended does not count.
    public var concurrencyLimit = 64

    /// Where components keep their data, each in a directory of its own: absolute, or relative to the current
    /// directory. It is made when it is not there, and locked for this host at the first use of a component,
    /// or by ``LinkHost/claimDataDirectory()``, until the host has stopped (or the process ended,
    /// where a component is still running then). nil: the host keeps no data, and
    /// components that ask for some get an error.
    public var dataDirectory: String?

    /// Where the host, and components through it, write their lines.
    public var logger = Logger(label: "hslink")

    /// How many threads of the host may carry out methods at a time, for tests.
    var threadLimit = 1024

    /// How many more may sleep inside methods until calls of theirs have ended, for tests.
    var sleeperLimit = 1024

    /// How long a method may stay inside after its call has ended before it counts as stuck, for tests.
    var stuckPatience = Duration.seconds(1)

    /// How many threads of the host may carry out callbacks and handlers at a time, for tests.
    var callerThreadLimit = 1024

    /// How long a call waits for a start that may be waiting for it, for tests.
    var startPatience = Duration.seconds(2)

    /// In place of the services and models that the program was compiled with, for tests.
    var contract: Contract?

    /// The usual.
    public init() {}
}
