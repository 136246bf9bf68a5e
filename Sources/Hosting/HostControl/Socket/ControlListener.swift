import CGlibc
import Glibc
import Synchronization
import SystemSupport

/// A listening socket and its path in the file system.
final class ControlListener: Sendable {
    /// The absolute path, even if the path was given relative to the current directory: it may be too long for a socket.
    let path: String
    /// The name of the socket in its directory.
    private let name: String
    /// The directory of the socket, which stays the same if the current directory changes.
    private let directory: Int32
    private let descriptor: Int32
    private let identity: SocketIdentity
    private let isRemoved = Atomic<Bool>(false)

    /// The maximum number of clients that wait to be accepted.
    private static let backlog: Int32 = 128

    /// Creates the socket, with the permissions 0600 from the start.
    ///
    /// The socket of a host that has ended is replaced. If several hosts start at once, one of them gets the path.
    ///
    /// - Throws: ``ControlError`` with the code ``ControlError/Code/inUse`` if a host listens there,
    ///   ``ControlError/Code/notAllowed`` if another user listens there or everyone may write to the directory, or
    ///   another code if the socket cannot be created.
    init(_ path: SocketPath) throws(ControlError) {
        self.path = AbsolutePath.of(path.text)
        name = path.name
        let directory = ForkGuard.open { unsafe open(path.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard directory >= 0 else {
            throw ControlError(
                .invalidPath,
                "the directory of the control socket \(path.text) cannot be used: \(systemMessage(errno))")
        }
        do throws(ControlError) {
            try SocketTrust(path).checkDirectory()
        } catch {
            ForkGuard.close(directory)
            throw error
        }
        // The directory stays locked until it is closed, so that no two hosts check, remove and create at once.
        defer { ForkGuard.close(directory) }
        ControlListener.lock(directory)
        try ControlListener.makeRoom(at: path)
        let place = unsafe openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard place >= 0 else {
            throw .system(errno, "the directory of the control socket \(path.text) cannot be used")
        }
        do throws(ControlError) {
            (descriptor, identity) = try ControlListener.bind(path)
        } catch {
            close(place)
            throw error
        }
        self.directory = place
    }

    deinit {
        ForkGuard.close(descriptor)
        close(directory)
    }

    /// Waits for a client or for ``end()``, for at most `limit` milliseconds; a negative `limit` means no limit.
    func wait(_ limit: Int32) {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&event, 1, limit)
    }

    /// Accepts a waiting client; nil if there is none. Neither programs that components start nor children that they fork
    /// inherit the descriptor; otherwise, the client would not learn that the host has ended.
    func accept() -> Int32? {
        let client = ForkGuard.open {
            accept4(descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue))
        }
        if client >= 0 { return client }
        // Without free descriptors or memory the client stays queued, so pause instead of spinning.
        if ![EAGAIN, EINTR, ECONNABORTED].contains(errno) { usleep(50_000) }
        return nil
    }

    /// Stops accepting clients and wakes ``wait(_:)``.
    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Removes the socket's path, unless another host has replaced the socket.
    func remove() {
        // Only once: a freed inode number may be reused, perhaps for a successor's socket.
        guard !isRemoved.exchange(true, ordering: .relaxed), SocketIdentity(name, in: directory) == identity else {
            return
        }
        unsafe unlinkat(directory, name, 0)
    }

    /// Waits for other hosts that hold the lock, but for two seconds at most: one that hangs must not keep this host
    /// from starting.
    private static func lock(_ directory: Int32) {
        for _ in 0..<200 where flock(directory, LOCK_EX | LOCK_NB) != 0 { usleep(10_000) }
    }

    private static func makeRoom(at path: SocketPath) throws(ControlError) {
        var status = stat()
        guard unsafe lstat(path.text, &status) == 0 else {
            let error = errno
            if error == ENOENT { return }
            throw .system(error, "the control socket \(path.text) cannot be created")
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ControlError(
                .notASocket, "\(path.text) exists and is not a socket; remove it, or use another path")
        }
        let peer: PeerCredentials
        do throws(ControlError) {
            let descriptor = try path.connect()
            defer { close(descriptor) }
            peer = try PeerCredentials.of(descriptor)
        } catch {
            guard error.code == .nobodyListens else {
                if error.code == .noSocket { return }
                throw error.code == .tooMuch ? inUse(path) : error
            }
            guard unsafe unlink(path.text) == 0 || errno == ENOENT else {
                throw .system(errno, "the control socket \(path.text) of a host that has ended cannot be removed")
            }
            return
        }
        throw inUse(path, SystemProcess(peer.process))
    }

    /// - Parameter host: The process that began to listen; nil if unknown.
    private static func inUse(_ path: SocketPath, _ host: SystemProcess? = nil) -> ControlError {
        var (holder, remedy) = ("another host listens at \(path.text)", "stop it")
        // The system says 0 for a process of another container.
        if let host, host.identifier > 0 {
            if host.isRunning {
                holder = "\(host.summary) listens at \(path.text)"
            } else {
                holder =
                    "a child of the host with the process number \(host.identifier), which has ended, still listens at "
                    + path.text
                remedy = "end the child"
            }
        }
        return ControlError(.inUse, "\(holder); \(remedy), or give this host another control socket")
    }

    private static func bind(_ path: SocketPath) throws(ControlError) -> (Int32, SocketIdentity) {
        let descriptor = ForkGuard.open {
            socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        }
        guard descriptor >= 0 else { throw .system(errno, "no socket could be created") }
        // On Linux the file gets the permissions of the socket. They keep other users out before ``ControlServer`` does.
        guard fchmod(descriptor, 0o600) == 0, unsafe path.withAddress({ unsafe Glibc.bind(descriptor, $0, $1) }) == 0
        else {
            let error = errno
            ForkGuard.close(descriptor)
            if error == EADDRINUSE { throw inUse(path) }
            throw .system(error, "the control socket \(path.text) cannot be created")
        }
        guard let identity = SocketIdentity(path.text, in: AT_FDCWD), listen(descriptor, backlog) == 0 else {
            let error = errno
            ForkGuard.close(descriptor)
            unsafe unlink(path.text)
            throw .system(error, "the host cannot listen at the control socket \(path.text)")
        }
        return (descriptor, identity)
    }
}

/// The identity of the socket at a path.
private struct SocketIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// - Returns: nil if there is no socket.
    init?(_ path: String, in directory: Int32) {
        var status = stat()
        guard unsafe fstatat(directory, path, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFSOCK
        else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}
