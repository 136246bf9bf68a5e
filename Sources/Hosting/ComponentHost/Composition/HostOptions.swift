public import ComponentCatalog
public import ComponentKit
public import Logging
import SystemSupport

/// The options of a host.
public struct HostOptions: Sendable {
    /// The rules about who may own and change plugin files and their folders.
    public var trust = TrustPolicy.strict

    /// Whether to load components that share the Swift runtime but were built by another compiler. The layout of Swift
    /// types may differ between compilers, so such a component may crash the process.
    public var allowsOtherCompilers = false

    /// Whether to refuse payloads with keys that the selector's manifest entry does not declare. Meant for development,
    /// where it reveals a misspelt key of an optional parameter. By default, undeclared keys are ignored, since a newer
    /// caller may send more. A selector that declares no parameters accepts any key.
    public var refusesUndeclaredKeys = false

    /// How many threads of the host may run methods of one component whose calls ended more than a second ago, by a
    /// deadline, a cancellation or a reply. From then on, calls to the component fail as stuck until some of these
    /// methods return. Limited to ``concurrencyLimit``.
    public var stuckLimit = 16

    /// How many calls to one component run at a time on threads of the host. Further calls wait their turn. A call that
    /// sleeps until a call of its own has ended does not count.
    public var concurrencyLimit = 64

    /// The directory in which components keep their data, each in a subdirectory of its own. A relative path becomes
    /// absolute when it is set, so a later change of the current directory moves nothing. If it is nil, the host keeps
    /// no data, and components that ask for a directory get an error.
    ///
    /// The directory is created if it does not exist. The host locks it when a component first uses it, or in
    /// ``LinkHost/claimDataDirectory()``, and unlocks it when it has stopped. If a component is still running then,
    /// the directory stays locked until the process ends.
    public var dataDirectory: String? {
        didSet { dataDirectory = dataDirectory.map(AbsolutePath.of) }
    }

    /// The directory in which components keep what they can make again, each in a subdirectory of its own. If it is
    /// nil, components that ask for a directory get an error. It is created if it does not exist. Several hosts may
    /// share it, and an operator may empty it while no host runs. A relative path becomes absolute when it is set.
    public var cacheDirectory: String? {
        didSet { cacheDirectory = cacheDirectory.map(AbsolutePath.of) }
    }

    /// Where the host runs, which components can ask for.
    public var environment = DeploymentEnvironment.prod

    /// Reads the configuration of components; nil if there is none.
    var configurationLoader: (any ConfigurationLoader)?

    /// Answers the requests of ``ComponentKit/Link/perform(target:action:_:timeout:)`` for targets and actions that no
    /// component has. Must not block: it may run on any caller's thread.
    ///
    /// It is the action `response` of the target `NoTargetAction`. If it is nil, a class with that name answers, of the
    /// program itself or of a component; if there is none, the request fails.
    public var notFound: (@Sendable (_ request: TargetRequest) async throws -> Payload)?

    /// How long calls in flight may take when a service group stops the host, before they are cancelled; see
    /// ``LinkHost/run()``.
    public var stopTimeout = Duration.seconds(5)

    /// How long a handler of an event may take. The next one is called then, and the task of the handler is cancelled.
    public var handlerTimeout = Duration.seconds(5)

    /// Whether the host posts `MemoryPressure` from ``LinkHost/start()`` on when the kernel reports that tasks wait for
    /// memory: those of the control group of the process, or of the system if it has none. Needs pressure stall
    /// information, which older kernels offer to privileged processes only.
    public var reportsMemoryPressure = true

    /// Whether the host records how long components take; see ``LinkHost/times``. Reads the clock twice for each
    /// handler of an event.
    public var recordsTimes = false

    /// How long a call or a handler of an event may take before the host logs a warning with its name and, if one is
    /// running in it, its thread; nil for no limit. The call goes on.
    public var slowCallThreshold: Duration?

    /// How often the host passes what it has counted of calls to swift-metrics, if the application bootstrapped it
    /// before it made the host; nil to do so in ``LinkHost/emitMetrics()`` only. An interval costs a few microseconds
    /// for each method that has been called, on a thread of the host.
    public var metricsInterval: Duration? = .seconds(10)

    /// Whether, and in which form, a crash of the process names the component in a line on standard error. By default it
    /// does not, because signal handlers belong to the whole process; `hslink run` and `hslink call` switch it on. See
    /// ``CrashReports``.
    public var crashReports = CrashReports.off

    /// The options of the host's routes.
    public var routes = RouteOptions()

    /// The options of components' resources.
    public var resources = ResourceOptions()

    /// The logger for the log lines of the host and of its components.
    public var logger = Logger(label: "hslink")

    /// How many threads of the host may carry out methods at a time, for tests.
    var threadLimit = 1024

    /// How many more threads may sleep inside methods until their own calls have ended, for tests.
    var sleeperLimit = 1024

    /// How long a method may keep running after its call has ended before it counts as stuck, for tests.
    var stuckPatience = Duration.seconds(1)

    /// How many threads of the host may carry out callbacks and handlers at a time, for tests.
    var callerThreadLimit = 1024

    /// How long a call waits for a start that may be waiting for it, for tests.
    var startPatience = Duration.seconds(2)

    /// Replaces the directory of the program, for tests.
    var programDirectory: String?

    /// Replaces the services and models that the program was compiled with, for tests.
    var contract: Contract?

    /// Creates options with the default values.
    public init() {}
}

extension KernelOptions {
    /// - Parameters:
    ///   - recentLog: keeps the lines that the logger's level lets through.
    ///   - times: keeps how long components take; nil if no one wants to know.
    init(_ options: HostOptions, recentLog: RecentLog, times: TimeRecorder?) {
        self.init(
            trust: options.trust, allowsOtherCompilers: options.allowsOtherCompilers,
            refusesUndeclaredKeys: options.refusesUndeclaredKeys, watchesCalls: options.slowCallThreshold != nil,
            stuckLimit: options.stuckLimit, stuckPatience: options.stuckPatience,
            concurrencyLimit: options.concurrencyLimit, threadLimit: options.threadLimit,
            sleeperLimit: options.sleeperLimit, callerThreadLimit: options.callerThreadLimit,
            startPatience: options.startPatience, contract: options.contract,
            recordTime: times?.add
        ) { [logger = options.logger] level, message, component in
            let level = Logger.Level(level)
            if level >= logger.logLevel { recentLog.add(level.rawValue, message, component: component) }
            logger.log(level: level, "\(message)", metadata: ["component": "\(component)"])
        }
    }
}

extension Logger.Level {
    fileprivate init(_ level: LogLevel) {
        self =
            switch level {
            case .debug: .debug
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
    }
}
