import Glibc

/// Where a host listens for other programs.
package enum ControlSocketChoice: Equatable {
    case path(String)
    /// Nowhere, as the user wants it.
    case none
    /// Nowhere, since there is no usual place.
    case noPlace

    /// - Parameter given: the option's value; "none" for nowhere, nil for the usual place.
    package init(_ given: String?) {
        self.init(given, isRoot: geteuid() == 0) { name in
            unsafe getenv(name).map { unsafe String(cString: $0) }
        }
    }

    /// - Parameters:
    ///   - given: the option's value.
    ///   - isRoot: whether the process is root's.
    ///   - variable: asks for a variable of the environment. Empty ones do not count.
    init(_ given: String?, isRoot: Bool, variable: (String) -> String?) {
        if given == "none" {
            self = .none
        } else if let given {
            self = .path(given)
        } else if let directory = variable("RUNTIME_DIRECTORY")?.split(separator: ":").first {
            // That of the unit, which systemd makes and takes away.
            self = .path("\(directory)/hslink.sock")
        } else if let directory = variable("XDG_RUNTIME_DIR"), directory.hasPrefix("/") {
            self = .path("\(directory)/hslink.sock")
        } else if isRoot {
            self = .path("/run/hslink.sock")
        } else {
            self = .noPlace
        }
    }
}
