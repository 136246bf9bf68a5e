import Glibc
import NIOCore

/// Who is at the other end of a Unix socket (`struct ucred`), as the system knows it.
struct PeerCredentials: Sendable {
    var process: Int32 = 0
    var user: UInt32 = .max
    var group: UInt32 = .max

    /// Whether it may talk to this process: the same user, or root.
    var isAllowed: Bool { user == 0 || user == geteuid() }

    /// - Throws: when the channel is closed already.
    static func of(_ channel: any Channel) async throws -> PeerCredentials {
        guard let options = channel as? any SocketOptionProvider else { return PeerCredentials() }
        return try await options.unsafeGetSocketOption(
            level: NIOBSDSocket.OptionLevel(rawValue: SOL_SOCKET), name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)
        ).get()
    }
}
