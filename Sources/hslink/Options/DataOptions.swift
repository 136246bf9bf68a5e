import ArgumentParser
import Glibc

/// Where components keep their data.
struct DataOptions: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: ArgumentHelp(
            "The directory that components keep their data in.",
            discussion: """
                Without it, HSLINK_DATA, else 'hslink' in XDG_DATA_HOME, else ~/.local/share/hslink. It is made, and \
                locked for this host alone, when a component first asks for it; one that is named for 'hslink run', at \
                its start.
                """,
            valueName: "dir"),
        completion: .directory)
    var directory: String?

    func validate() throws {
        if directory?.isEmpty == true { throw ValidationError("--data: expected a directory, the text is empty") }
    }

    /// As given, or the usual one; nil when there is no home either.
    var path: String? {
        directory
            ?? DataOptions.standard { name in
                unsafe getenv(name).map { unsafe String(cString: $0) }
            }
    }

    /// Whether the user names a directory, with the option or with HSLINK_DATA: who does so means that it is this host's.
    var isNamed: Bool {
        let variable = unsafe getenv("HSLINK_DATA").map { unsafe String(cString: $0) }
        return directory != nil || variable?.isEmpty == false
    }

    /// The usual directory.
    ///
    /// - Parameter variable: asks for a variable of the environment. Empty ones do not count, nor a relative
    ///   XDG_DATA_HOME (XDG Base Directory Specification).
    static func standard(_ variable: (String) -> String?) -> String? {
        if let given = variable("HSLINK_DATA"), !given.isEmpty { return given }
        if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return "\(data)/hslink" }
        guard let home = variable("HOME"), !home.isEmpty else { return nil }
        return "\(home)/.local/share/hslink"
    }
}
