import ArgumentParser
import ComponentHost
import HostControl
import Logging
import SystemSupport

/// What `list` and `call` have in common: where components come from, and what is trusted.
struct ComponentOptions: ParsableArguments {
    @Option(
        name: .customLong("plugins"),
        help: ArgumentHelp(
            "A directory of plugin files; may be given several times.",
            discussion: "Without it, the directories of HSLINK_PATH, else 'plugins' beside this program.",
            valueName: "dir"),
        completion: .directory)
    var directories: [String] = []

    @Flag(
        name: .customLong("allow-other-compilers"),
        help: ArgumentHelp(
            "Load components that another Swift compiler built although they share the Swift runtime.",
            discussion: "WARNING: what they take a Swift type for may not be what it is here; they may crash."))
    var allowsOtherCompilers = false

    @Flag(
        name: .customLong("trust-any"),
        help: ArgumentHelp(
            "Take plugin files whoever owns them and whoever may change them.",
            discussion: """
                WARNING: their code can do all that you can do. Only for directories that nobody else can \
                reach, as in a container.
                """))
    var trustsAny = false

    @Option(
        name: .customLong("log-level"),
        help: ArgumentHelp(
            "Write the host's log from this level on to standard error.",
            discussion: "Without it, 'error'; a host that stays up writes from 'info' on.", valueName: "level"))
    var logThreshold: LogThreshold?

    /// A host over the components; loads nothing, and takes no data directory yet.
    ///
    /// - Parameters:
    ///   - data: where components keep their data; nil where none is asked to.
    ///   - logger: where lines go; nil for the usual place.
    func makeHost(data: DataOptions? = nil, logger: Logger? = nil) -> LinkHost {
        var options = HostOptions()
        options.dataDirectory = data?.path
        options.trust = trustsAny ? .unchecked : .strict
        options.allowsOtherCompilers = allowsOtherCompilers
        let level = (logThreshold ?? .error).level
        options.logger = logger ?? Logger(label: "hslink") { _ in StandardErrorLog(logLevel: level) }
        return LinkHost(components: directories.isEmpty ? nil : directories, options: options)
    }

    /// Says on standard error which directories were not searched, and why.
    func report(_ rejections: [RejectionRow], as word: String) {
        for rejection in rejections {
            Output.note("\(word): \(rejection.path.escaped): \(rejection.reason.escaped)")
        }
    }
}
