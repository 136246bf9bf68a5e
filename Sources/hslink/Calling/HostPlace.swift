import SystemSupport

/// Where the host is that was asked, as options say it.
enum HostPlace {
    /// A host that runs, at a socket.
    case socket(String)
    /// A host of this process over directories; none for the usual ones.
    case directories([String])

    /// The options with a space in front of each, for a command that a message shows.
    var options: String {
        switch self {
        case .socket(let path): " --host \(path.quotedForShell)"
        case .directories(let paths): paths.map { " --plugins \($0.quotedForShell)" }.joined()
        }
    }
}
