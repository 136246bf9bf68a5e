import Glibc

/// The path of a Unix socket, within the length limit of the system.
struct SocketPath: Hashable, Sendable {
    let text: String

    /// The maximum length in bytes, without the terminating NUL.
    static let maximumLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// - Throws: ``ControlError`` with the code ``ControlError/Code/invalidPath`` if `text` is empty, contains a NUL or
    ///   is too long.
    init(_ text: String) throws(ControlError) {
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw ControlError(.invalidPath, "the path of the control socket is empty or contains a NUL character")
        }
        let length = text.utf8.count
        guard length <= SocketPath.maximumLength else {
            throw ControlError(
                .invalidPath,
                "\(text): expected a socket path of at most \(SocketPath.maximumLength) bytes, found \(length); "
                    + "use a shorter path, or one relative to the current directory")
        }
        self.text = text
    }

    /// The directory that contains the socket.
    var directory: String { text.splitPath.directory }

    /// The name of the socket in its directory.
    var name: String { text.splitPath.name }

    /// Calls `body` with the path as a socket address.
    func withAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: text.utf8) }
        return unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Returns a socket that is connected to a trusted host; see ``SocketTrust``.
    ///
    /// - Throws: ``ControlError`` if no host can be reached or the listener is not trusted.
    func connect() throws(ControlError) -> Int32 {
        let descriptor = try connectToAnyone()
        do throws(ControlError) {
            try SocketTrust(self).check(try PeerCredentials.of(descriptor))
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private func connectToAnyone() throws(ControlError) -> Int32 {
        // A blocking socket would wait forever for a host that does not accept connections (unix(7)).
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw .system(errno, "no socket could be created") }
        var error: Int32
        repeat {
            error = unsafe withAddress { unsafe Glibc.connect(descriptor, $0, $1) } == 0 ? 0 : errno
        } while error == EINTR
        if error == 0 { return descriptor }
        close(descriptor)
        throw connectionError(error)
    }

    private func connectionError(_ error: Int32) -> ControlError {
        switch error {
        case ENOENT, ENOTDIR:
            return ControlError(
                .noSocket, "there is no control socket at \(text); 'hslink run' creates one and prints its path")
        case ECONNREFUSED:
            var status = stat()
            guard unsafe stat(text, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
                return ControlError(.notASocket, "the file \(text) is not a control socket")
            }
            return ControlError(
                .nobodyListens, "no host listens at \(text) any more; start one with 'hslink run'")
        case EACCES, EPERM:
            return ControlError(
                .notAllowed, "the control socket \(text) belongs to another user; call as the user who runs the host")
        case EPROTOTYPE:
            return ControlError(.notASocket, "the socket \(text) is not the control socket of a host")
        case EAGAIN:
            return ControlError(.tooMuch, "the host at \(text) does not accept connections; it may be overloaded")
        default: return .system(error, "the control socket \(text) cannot be used")
        }
    }
}
