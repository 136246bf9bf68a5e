import ComponentKit
import Glibc
import Logging

// Which clients the control socket serves.
extension ControlServer {
    /// Takes a connection as one of those that are served.
    ///
    /// - Returns: why the client is not served; nil when it is.
    func admit(_ connection: ControlConnection, of peer: PeerCredentials) -> ControlError? {
        guard peer.isAllowedToCall else {
            logger.warning(
                "a client of another user was refused at the control socket",
                metadata: ["user": "\(peer.user)", "process": "\(peer.process)"])
            return ControlError(.notAllowed, "the host takes calls of its own user and of root alone")
        }
        return state.withLock { state in
            guard !state.isStopping else { return ControlError(.connectionLost, "the host is stopping") }
            guard state.connections.count < limits.connections else {
                return ControlError(
                    .tooMuch, "the host takes \(limits.connections) connections at a time; try again later")
            }
            state.connections[ObjectIdentifier(connection)] = connection
            return nil
        }
    }
}

extension PeerCredentials {
    /// Whether it may call the host of this process: the same user, or root.
    var isAllowedToCall: Bool { user == 0 || user == geteuid() }
}
