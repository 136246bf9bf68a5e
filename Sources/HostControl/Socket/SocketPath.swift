import Glibc

/// The path of a Unix socket, short enough to be one.
struct SocketPath: Hashable, Sendable {
    let text: String

    /// Bytes that fit, without the null byte.
    static let maximumLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// - Throws: ``ControlError/Code/invalidPath`` when no socket can be there.
    init(_ text: String) throws(ControlError) {
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw ControlError(.invalidPath, "the path of a control socket was expected, found nothing")
        }
        let length = text.utf8.count
        guard length <= SocketPath.maximumLength else {
            throw ControlError(
                .invalidPath,
                "the path of a socket has at most \(SocketPath.maximumLength) bytes, \(text) has \(length); "
                    + "take a shorter one, or one relative to the current directory")
        }
        self.text = text
    }

    /// The directory that it lies in.
    var directory: String {
        guard let slash = text.lastIndex(of: "/") else { return "." }
        return slash == text.startIndex ? "/" : String(text[..<slash])
    }

    /// Calls `body` with the address as the system wants it.
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

    /// A socket connected to a host of somebody who may be talked to; see ``SocketTrust``.
    ///
    /// - Throws: why there is nobody to talk to.
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
        // A blocking one would wait without end for a host that takes no connections (unix(7)).
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw .system(errno, "no socket could be made") }
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
                .noSocket, "there is no control socket at \(text); 'hslink run' makes one, and says where")
        case ECONNREFUSED:
            var status = stat()
            guard unsafe stat(text, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
                return ControlError(.notASocket, "a control socket was expected at \(text), there is something else")
            }
            return ControlError(
                .nobodyListens, "no host listens at \(text) any more; start it again with 'hslink run'")
        case EACCES, EPERM:
            return ControlError(
                .notAllowed, "the control socket \(text) belongs to another user; ask as the one who runs the host")
        case EPROTOTYPE:
            return ControlError(.notASocket, "the socket \(text) is not that of a host")
        case EAGAIN:
            return ControlError(.tooMuch, "the host at \(text) does not take connections; it may be overloaded")
        default: return .system(error, "the control socket \(text) cannot be used")
        }
    }
}
