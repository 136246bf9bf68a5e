import ArgumentParser
import Glibc

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

    func validate() throws {
        if directory?.isEmpty == true { throw ValidationError("--data: expected a directory, found an empty string") }
    }

    /// The given directory, else the default one; nil if the environment does not determine it.
    var path: String? {
        directory
            ?? DataOptions.standard { name in
                unsafe getenv(name).map { unsafe String(cString: $0) }
            }
    }

    /// Whether the user named a directory, with the option or with HSLINK_DATA. A named directory is meant for this
    /// host.
    var isNamed: Bool {
        let variable = unsafe getenv("HSLINK_DATA").map { unsafe String(cString: $0) }
        return directory != nil || variable?.isEmpty == false
    }

    /// Returns the default directory; nil if the environment does not determine one.
    ///
    /// - Parameter variable: returns the value of an environment variable. Empty values are ignored, and so is a
    ///   relative XDG_DATA_HOME (XDG Base Directory Specification).
    static func standard(_ variable: (String) -> String?) -> String? {
        if let given = variable("HSLINK_DATA"), !given.isEmpty { return given }
        if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return "\(data)/hslink" }
        guard let home = variable("HOME"), !home.isEmpty else { return nil }
        return "\(home)/.local/share/hslink"
    }
}
