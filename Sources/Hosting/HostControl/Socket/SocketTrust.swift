import Glibc
import SystemSupport

/// Decides whether the listener at a socket can be trusted; clients may send it passwords.
///
/// Trusted listeners are:
///
/// * The user of this process, and root.
/// * If this process runs as root, also a service user, provided this user owns the socket's file and only root
///   and this user can write to the directories above it, because then only they can have put it there. Directories
///   such as /tmp do not qualify, even if they are sticky: any user can create the next directory in them first.
///
/// In addition, others must not be able to replace the socket: its directory must not be writable by everyone, unless
/// it is sticky.
struct SocketTrust {
    let path: SocketPath
    /// The user of the connecting process.
    let caller: uid_t

    /// - Parameter caller: the effective user of the process, except in tests.
    init(_ path: SocketPath, caller: uid_t = geteuid()) {
        self.path = path
        self.caller = caller
    }

    /// Checks the listener that this process has connected to, before anything is sent.
    ///
    /// - Throws: ``ControlError`` with the code ``ControlError/Code/notAllowed`` if the listener is not trusted; the
    ///   message names its user. Also the errors of ``checkDirectory()``.
    func check(_ listener: PeerCredentials) throws(ControlError) {
        try checkDirectory()
        let user = listener.user
        if user == caller || user == 0 { return }
        let who = "the control socket \(path.text) is served by \(SocketTrust.name(of: user))"
        guard caller == 0 else {
            throw ControlError(
                .notAllowed,
                "\(who), not by root or by the caller, \(SocketTrust.name(of: caller)); nothing was sent")
        }
        if let problem = problemOfService(user) {
            throw ControlError(.notAllowed, "\(who), not by root, and \(problem); nothing was sent")
        }
    }

    /// Checks that others cannot replace the socket with their own.
    ///
    /// - Throws: ``ControlError`` with the code ``ControlError/Code/notAllowed`` if everyone can write to the
    ///   directory, or ``ControlError/Code/invalidPath`` if the directory cannot be examined.
    func checkDirectory() throws(ControlError) {
        var status = stat()
        guard unsafe stat(path.directory, &status) == 0 else {
            throw ControlError(
                .invalidPath,
                "the directory of the control socket \(path.text) cannot be used: \(systemMessage(errno))")
        }
        guard status.st_mode & S_IWOTH == 0 || status.st_mode & S_ISVTX != 0 else {
            // A name with a dash in front would be an option.
            let directory = (path.directory.hasExactPrefix("-") ? "./" : "") + path.directory
            throw ControlError(
                .notAllowed,
                "the directory of the control socket \(path.text) is writable by everyone, so any user could replace "
                    + "the socket; fix it with: chmod o-w \(directory.quotedForShell)")
        }
    }

    /// Returns why root does not trust `user` as a service user with its own socket; nil if it does.
    private func problemOfService(_ user: uid_t) -> String? {
        guard let resolved = unsafe realpath(path.text, nil) else { return "its file is gone" }
        defer { unsafe free(resolved) }
        // A repaired path could be that of another file.
        guard var place = unsafe String(validatingCString: resolved) else { return "the path of its file is not UTF-8" }
        var status = stat()
        guard unsafe lstat(place, &status) == 0 else { return "its file is gone" }
        guard status.st_uid == user else { return "its file belongs to \(SocketTrust.name(of: status.st_uid))" }
        while place != "/" {
            place = place.splitPath.directory
            guard unsafe lstat(place, &status) == 0 else { return "\(place) cannot be examined" }
            guard status.st_uid == 0 || status.st_uid == user else {
                return "\(place) belongs to \(SocketTrust.name(of: status.st_uid))"
            }
            guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
                return "users other than root and that user may write to \(place)"
            }
        }
        return nil
    }

    /// Returns the user in the form "alice (uid 1000)", or "uid 1000" for a user without a name.
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
