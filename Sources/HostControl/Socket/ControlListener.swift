import CGlibc
import Glibc
import Synchronization
import SystemSupport

/// A socket that listens, and its place in the file system.
final class ControlListener: Sendable {
    /// As it was given.
    let path: SocketPath
    private let descriptor: Int32
    private let identity: SocketIdentity
    private let isRemoved = Atomic<Bool>(false)

    /// How many may wait to be accepted.
    private static let backlog: Int32 = 128

    /// Makes the socket, with the permissions 0600 from the beginning.
    ///
    /// The socket of a host that has ended is replaced. Of several that begin at once one gets it.
    ///
    /// - Throws: ``ControlError/Code/inUse`` when a host listens there, ``ControlError/Code/notAllowed`` when somebody
    ///   else listens there or others may write to the directory, or why there cannot be one.
    init(_ path: SocketPath) throws(ControlError) {
        self.path = path
        let directory = unsafe open(path.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else {
            throw ControlError(
                .invalidPath,
                "the directory of the control socket \(path.text) cannot be used: \(systemMessage(errno))")
        }
        do throws(ControlError) {
            try SocketTrust(path).checkDirectory()
        } catch {
            close(directory)
            throw error
        }
        // Until it is closed: looking, taking away and making are one step among hosts.
        defer { close(directory) }
        ControlListener.lock(directory)
        try ControlListener.makeRoom(at: path)
        (descriptor, identity) = try ControlListener.bind(path)
    }

    deinit { close(descriptor) }

    /// Waits for a client, or until ``end()``; not longer than `limit` milliseconds, unless that is negative.
    func wait(_ limit: Int32) {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&event, 1, limit)
    }

    /// The connection of a client that waits, which programs that components start do not inherit; nil when there is none.
    func accept() -> Int32? {
        let client = accept4(descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue))
        if client >= 0 { return client }
        // The client still waits where the system has nothing to give.
        if ![EAGAIN, EINTR, ECONNABORTED].contains(errno) { usleep(50_000) }
        return nil
    }

    /// Takes no more clients; who waits for one waits no longer.
    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Takes the socket's name away, unless another host has it by now.
    func remove() {
        // Once: the number of an inode that is free goes to the next file, perhaps to a successor's socket.
        guard !isRemoved.exchange(true, ordering: .relaxed), SocketIdentity(path) == identity else { return }
        unsafe unlink(path.text)
    }

    /// Waits for others that are at it. One that never ends does not keep this host from beginning.
    private static func lock(_ directory: Int32) {
        for _ in 0..<200 where flock(directory, LOCK_EX | LOCK_NB) != 0 { usleep(10_000) }
    }

    private static func makeRoom(at path: SocketPath) throws(ControlError) {
        var status = stat()
        guard unsafe lstat(path.text, &status) == 0 else {
            let error = errno
            if error == ENOENT { return }
            throw .system(error, "the control socket \(path.text) cannot be made")
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ControlError(
                .notASocket, "\(path.text) is there and is no socket; give another path, or take it away")
        }
        do throws(ControlError) {
            close(try path.connect())
        } catch {
            guard error.code == .nobodyListens else {
                if error.code == .noSocket { return }
                throw error.code == .tooMuch ? inUse(path) : error
            }
            guard unsafe unlink(path.text) == 0 || errno == ENOENT else {
                throw .system(errno, "the socket of an ended host at \(path.text) cannot be taken away")
            }
            return
        }
        throw inUse(path)
    }

    private static func inUse(_ path: SocketPath) -> ControlError {
        ControlError(
            .inUse, "another host listens at \(path.text); end it, or give this one a control socket of its own")
    }

    private static func bind(_ path: SocketPath) throws(ControlError) -> (Int32, SocketIdentity) {
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw .system(errno, "no socket could be made") }
        // Linux gives the file the permissions of the socket.
        guard fchmod(descriptor, 0o600) == 0, unsafe path.withAddress({ unsafe Glibc.bind(descriptor, $0, $1) }) == 0
        else {
            let error = errno
            close(descriptor)
            if error == EADDRINUSE { throw inUse(path) }
            throw .system(error, "the control socket \(path.text) cannot be made")
        }
        guard let identity = SocketIdentity(path), listen(descriptor, backlog) == 0 else {
            let error = errno
            close(descriptor)
            unsafe unlink(path.text)
            throw .system(error, "nobody can listen at the control socket \(path.text)")
        }
        return (descriptor, identity)
    }
}

/// Which socket lies at a path.
private struct SocketIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// - Returns: nil when there is none.
    init?(_ path: SocketPath) {
        var status = stat()
        guard unsafe lstat(path.text, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}
