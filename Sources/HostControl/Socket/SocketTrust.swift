import Glibc
import SystemSupport

/// Who may listen at a socket that this process sends passwords to.
///
/// * The user of this process, and root.
/// * For root, also a service user of its own, when the socket's file is that user's and nobody but root and that user
///   can write to any directory above it: then nobody else can have put it there. Directories like /tmp do not count as
///   such, sticky or not: who is first there makes the next directory.
///
/// And nobody else may be able to take the socket away: its directory is not writable by others, unless it is sticky.
struct SocketTrust {
    let path: SocketPath
    /// The user who asks.
    let caller: uid_t

    /// - Parameter caller: the effective user of the process, but for tests.
    init(_ path: SocketPath, caller: uid_t = geteuid()) {
        self.path = path
        self.caller = caller
    }

    /// Checks who listens where this process has connected to; nothing has been sent yet.
    ///
    /// - Throws: ``ControlError/Code/notAllowed``, with the user who listens.
    func check(_ listener: PeerCredentials) throws(ControlError) {
        try checkDirectory()
        let user = listener.user
        if user == caller || user == 0 { return }
        let who = "the control socket \(path.text) is served by \(SocketTrust.name(of: user))"
        guard caller == 0 else {
            throw ControlError(
                .notAllowed,
                "\(who), neither by root nor by \(SocketTrust.name(of: caller)), who asks; nothing was sent")
        }
        if let problem = problemOfService(user) {
            throw ControlError(.notAllowed, "\(who), not by root, and \(problem); nothing was sent")
        }
    }

    /// Checks that others cannot take the socket away and put their own in its place.
    ///
    /// - Throws: ``ControlError/Code/notAllowed``, ``ControlError/Code/invalidPath`` when there is no directory.
    func checkDirectory() throws(ControlError) {
        var status = stat()
        guard unsafe stat(path.directory, &status) == 0 else {
            throw ControlError(
                .invalidPath,
                "the directory of the control socket \(path.text) cannot be used: \(systemMessage(errno))")
        }
        guard status.st_mode & S_IWOTH == 0 || status.st_mode & S_ISVTX != 0 else {
            throw ControlError(
                .notAllowed,
                "the directory of the control socket \(path.text) is writable by everyone, who could put a socket of "
                    + "their own there; change that with: chmod o-w \(path.directory)")
        }
    }

    /// Why root does not take `user` for a service user with a socket of its own; nil when it does.
    private func problemOfService(_ user: uid_t) -> String? {
        guard let resolved = unsafe realpath(path.text, nil) else { return "its file is gone" }
        defer { unsafe free(resolved) }
        var place = unsafe String(cString: resolved)
        var status = stat()
        guard unsafe lstat(place, &status) == 0 else { return "its file is gone" }
        guard status.st_uid == user else { return "its file belongs to \(SocketTrust.name(of: status.st_uid))" }
        while place != "/" {
            let slash = place.lastIndex(of: "/") ?? place.startIndex
            place = slash == place.startIndex ? "/" : String(place[..<slash])
            guard unsafe lstat(place, &status) == 0 else { return "\(place) cannot be looked at" }
            guard status.st_uid == 0 || status.st_uid == user else {
                return "\(place) belongs to \(SocketTrust.name(of: status.st_uid))"
            }
            guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
                return "others than root and that user may write to \(place)"
            }
        }
        return nil
    }

    /// As in "alice (uid 1000)", or "uid 1000" for a user without a name.
    static func name(of user: uid_t) -> String {
        let name = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer -> String? in
            var entry = unsafe passwd()
            var found: UnsafeMutablePointer<passwd>?
            guard let memory = buffer.baseAddress,
                unsafe getpwuid_r(user, &entry, memory, buffer.count, &found) == 0
            else { return nil }
            return unsafe found.map { unsafe String(cString: $0.pointee.pw_name) }
        }
        return name.map { "\($0) (uid \(user))" } ?? "uid \(user)"
    }
}
