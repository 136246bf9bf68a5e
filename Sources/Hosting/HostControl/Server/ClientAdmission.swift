import ComponentKit
import Glibc
import Logging

// Decides which clients the control socket serves.
extension ControlServer {
    /// Adds a connection to those that are served, unless the client is refused.
    ///
    /// - Returns: why the client is refused; nil if it is served.
    func admit(_ connection: ControlConnection, of peer: PeerCredentials) -> ControlError? {
        guard peer.isAllowedToCall else {
            logger.warning(
                "the control socket refused a client from another user",
                metadata: ["user": "\(peer.user)", "process": "\(peer.process)"])
            return ControlError(.notAllowed, "the host accepts calls only from its own user and from root")
        }
        return state.withLock { state in
            guard !state.isStopping else { return ControlError(.connectionLost, "the host is stopping") }
            guard state.connections.count < limits.connections else {
                return ControlError(
                    .tooMuch, "the host has reached its limit of \(limits.connections) connections; try again later")
            }
            state.connections[ObjectIdentifier(connection)] = connection
            return nil
        }
    }
}

extension PeerCredentials {
    /// Whether the peer may call the host in this process: it runs as the same user, or as root.
    var isAllowedToCall: Bool { user == 0 || user == geteuid() }
}
