import Glibc

/// Who is at the other end of a Unix socket (`struct ucred`), as the system knows it.
struct PeerCredentials: Sendable {
    var process: Int32 = 0
    var user: UInt32 = .max
    var group: UInt32 = .max

    /// Who has connected to this process with `descriptor`, or who listens where it is connected to: the user that the
    /// process had when it began to.
    ///
    /// - Throws: the system's words.
    static func of(_ descriptor: Int32) throws(ControlError) -> PeerCredentials {
        var peer = PeerCredentials()
        var size = socklen_t(MemoryLayout<PeerCredentials>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 else {
            throw .system(errno, "who is at the other end of the control socket cannot be found out")
        }
        return peer
    }
}
