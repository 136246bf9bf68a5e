import Glibc

/// The credentials of the process at the other end of a Unix socket (`struct ucred`), as reported by the system.
struct PeerCredentials: Sendable {
    var process: Int32 = 0
    var user: UInt32 = .max
    var group: UInt32 = .max

    /// Returns the credentials of the process that connected to this one through `descriptor`, or that listens at the
    /// other end of it. They date from when that process connected or began to listen.
    ///
    /// - Throws: ``ControlError`` with the system's error message.
    static func of(_ descriptor: Int32) throws(ControlError) -> PeerCredentials {
        var peer = PeerCredentials()
        var size = socklen_t(MemoryLayout<PeerCredentials>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 else {
            throw .system(errno, "the process at the other end of the control socket cannot be identified")
        }
        return peer
    }
}
