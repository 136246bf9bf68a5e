import Foundation

/// Listens on a Unix socket as another user. Needs root.
enum ForeignListening {
    /// Prints "listening", then accepts connections, reads their first bytes, and closes them. At the end of standard
    /// input, prints "received N" with the total number of bytes.
    ///
    /// - Parameters:
    ///   - path: The path of the socket, whose file belongs to `owner`.
    ///   - user: The listening user, as reported to peers.
    static func run(_ path: String, user: UInt32, owner: UInt32) throws {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let isBound = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        // A peer sees the user that calls listen, not the user that created the socket.
        guard isBound, unsafe chown(path, owner, owner) == 0, unsafe chmod(path, 0o666) == 0,
            setegid(user) == 0, seteuid(user) == 0, listen(listener, 8) == 0
        else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        DriverHost.say("listening")
        var received = 0
        while true {
            var ends = [
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
                pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
            ]
            guard unsafe poll(&ends, 2, -1) > 0 else { continue }
            if ends[1].revents != 0 {
                let client = accept(listener, nil, nil)
                var bytes = [UInt8](repeating: 0, count: 4096)
                received += max(0, unsafe recv(client, &bytes, bytes.count, 0))
                close(client)
            } else if ends[0].revents != 0 {
                return DriverHost.say("received \(received)")
            }
        }
    }
}
