import ArgumentParser
import SystemSupport

/// The option for the directory of components' data.
struct DataOptions: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: ArgumentHelp(
            "The directory for components' data.",
            discussion: """
                Default: HSLINK_DATA, else 'hslink' in XDG_DATA_HOME, else ~/.local/share/hslink. The host creates the \
                directory and locks it against other hosts when a component first asks for it; 'hslink run' does so \
                at startup if --data or HSLINK_DATA names the directory.
                """,
            valueName: "dir"),
        completion: .directory)
    var directory: String?

    @Option(
        name: .customLong("cache"),
        help: ArgumentHelp(
            "The directory for data that components can recreate.",
            discussion: "Default: HSLINK_CACHE, else 'hslink' in XDG_CACHE_HOME, else ~/.cache/hslink.",
            valueName: "dir"),
        completion: .directory)
    var cacheDirectory: String?

    func validate() throws {
        if cacheDirectory?.isEmpty == true {
            throw ValidationError("--cache: expected a directory, found an empty string")
        }
        if directory?.isEmpty == true { throw ValidationError("--data: expected a directory, found an empty string") }
    }

    /// The given directory, else the default one; nil if the environment does not determine it.
    var path: String? {
        directory
            ?? DataOptions.standard(
                "HSLINK_DATA", base: "XDG_DATA_HOME", usual: ".local/share", variable: RunningProgram.variable)
    }

    /// The given directory for caches, else the default one; nil if the environment does not determine it.
    var cachePath: String? {
        cacheDirectory
            ?? DataOptions.standard(
                "HSLINK_CACHE", base: "XDG_CACHE_HOME", usual: ".cache", variable: RunningProgram.variable)
    }

    /// Whether the user named a directory, with the option or with HSLINK_DATA. A named directory is meant for this
    /// host.
    var isNamed: Bool {
        directory != nil || RunningProgram.variable("HSLINK_DATA")?.isEmpty == false
    }

    /// Returns the default directory; nil if the environment does not determine one.
    ///
    /// - Parameters:
    ///   - own: the variable with the directory itself.
    ///   - base: the variable with the user's directory for such data (XDG Base Directory Specification).
    ///   - usual: where that is in the home directory.
    ///   - variable: returns the value of an environment variable. Empty values are ignored, and so is a relative
    ///     `base`.
    static func standard(
        _ own: String = "HSLINK_DATA", base: String = "XDG_DATA_HOME", usual: String = ".local/share",
        variable: (String) -> String?
    ) -> String? {
        if let given = variable(own), !given.isEmpty { return given }
        if let data = variable(base), data.hasExactPrefix("/") { return "\(data)/hslink" }
        guard let home = variable("HOME"), !home.isEmpty else { return nil }
        return "\(home)/\(usual)/hslink"
    }
}
