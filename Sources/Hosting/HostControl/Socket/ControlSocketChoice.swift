import Glibc
import SystemSupport

/// The control socket that a host uses.
package enum ControlSocketChoice: Equatable {
    case path(String)
    /// No socket, because the user disabled it.
    case none
    /// No socket, because there is no default path.
    case noPlace

    /// - Parameter given: the option's value; "none" for no socket, nil for the default path.
    package init(_ given: String?) {
        self.init(given, isRoot: geteuid() == 0, variable: RunningProgram.variable)
    }

    /// - Parameters:
    ///   - given: the option's value.
    ///   - isRoot: whether the process runs as root.
    ///   - variable: returns the value of an environment variable. An empty value counts as unset.
    init(_ given: String?, isRoot: Bool, variable: (String) -> String?) {
        if given == "none" {
            self = .none
        } else if let given {
            self = .path(given)
        } else if let directory = variable("RUNTIME_DIRECTORY")?.exactParts(between: ":").first {
            // The systemd unit's runtime directory, which systemd creates and removes.
            self = .path("\(directory)/hslink.sock")
        } else if let directory = variable("XDG_RUNTIME_DIR"), directory.hasExactPrefix("/") {
            self = .path("\(directory)/hslink.sock")
        } else if isRoot {
            self = .path("/run/hslink.sock")
        } else {
            self = .noPlace
        }
    }
}
