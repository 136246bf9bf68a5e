import SystemSupport

/// The location of the host that performs the calls, as given by the options.
enum HostPlace {
    /// A running host, identified by its socket.
    case socket(String)
    /// A host in this process, with its directories; empty for the default ones.
    case directories([String])

    /// The options for a command in a message, each with a leading space.
    var options: String {
        switch self {
        case .socket(let path): " --host \(path.quotedForShell)"
        case .directories(let paths): paths.map { " --plugins \($0.quotedForShell)" }.joined()
        }
    }
}
