import Glibc
import NIOCore

/// Who is at the other end of a Unix socket (`struct ucred`), as the system knows it.
struct PeerCredentials: Sendable {
    var process: Int32 = 0
    var user: UInt32 = .max
    var group: UInt32 = .max

    /// Whether it may call the host of this process: the same user, or root.
    var isAllowedToCall: Bool { user == 0 || user == geteuid() }

    /// Who has connected to this process. Fails when the channel is closed already.
    static func of(_ channel: any Channel) -> EventLoopFuture<PeerCredentials> {
        guard let options = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeSucceededFuture(PeerCredentials())
        }
        return options.unsafeGetSocketOption(
            level: NIOBSDSocket.OptionLevel(rawValue: SOL_SOCKET), name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
    }

    /// Who listens where `descriptor` is connected to: the user that the process had when it began to listen.
    ///
    /// - Throws: the system's words.
    static func ofListener(_ descriptor: Int32) throws(ControlError) -> PeerCredentials {
        var peer = PeerCredentials()
        var size = socklen_t(MemoryLayout<PeerCredentials>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 else {
            throw .system(errno, "who listens at the control socket cannot be found out")
        }
        return peer
    }
}
