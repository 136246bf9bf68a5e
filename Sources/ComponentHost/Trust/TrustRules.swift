import Glibc
import SystemSupport

/// Which files a host takes components from. Code that is loaded can do all that the process can, so
/// who may write to a file decides over the process.
public struct TrustPolicy: Hashable, Sendable {
    /// Whether owners, permissions, links and search paths are looked at.
    package let isChecked: Bool

    /// Refuses a file or a directory of components that
    ///
    /// * everyone may write to, or a group other than the primary group of its owner,
    /// * belongs to neither root nor the caller (the effective user),
    /// * is reached by a symbolic link that leads out of the directory it lies in,
    /// * names a directory (`DT_RUNPATH`, `DT_RPATH`) in which others could put a library for the dynamic loader, one
    ///   relative to the working directory, or one that only the loader can read (`$LIB`, `$PLATFORM`); or needs
    ///   a library that is refused for one of these reasons.
    ///
    /// All directories above, up to the root, have to belong to root or the caller too, and others may not write to
    /// them, since who can rename a directory can replace it; others may write to one with the sticky bit, as `/tmp`.
    /// What the dynamic loader finds in the directories of the system is trusted, and so is the environment of the
    /// process (`LD_LIBRARY_PATH`, `LD_PRELOAD`).
    public static let strict = TrustPolicy(isChecked: true)

    /// Takes every file. For directories that nobody else can reach, as in a container.
    public static let unchecked = TrustPolicy(isChecked: false)
}

/// The rules of ``TrustPolicy/strict`` for owners and permissions.
struct TrustRules {
    /// What is looked at.
    enum Subject {
        /// A component's file.
        case file
        /// A directory that components are taken from.
        case directory
        /// A directory above it: who may rename what lies in it could put something else in the place of the one below.
        case ancestor
        /// A symbolic link on the way to a library. Its permissions mean nothing.
        case link
        /// A directory that components keep their data in.
        case data
    }

    /// The effective user of the process.
    let caller: UInt32
    private var accounts = SystemAccountNames()

    init(caller: UInt32 = geteuid()) { self.caller = caller }

    /// Why the owner or the permissions in `status` are refused; nil when they are fine.
    mutating func problem(with status: stat, at path: String, _ subject: Subject) -> ComponentFileError? {
        let what =
            switch subject {
            case .file: "the file"
            case .link: "the link \(path)"
            case .directory, .ancestor, .data: "the directory \(path)"
            }
        // In a sticky directory only the owner of an entry may rename it, and the owner of the directory.
        let isSticky = subject == .ancestor && status.st_mode & S_ISVTX != 0
        let isShared = subject != .link && !isSticky
        if status.st_mode & S_IWOTH != 0, isShared {
            return ComponentFileError(
                code: .worldWritable,
                message: "\(what) is writable by everyone (\(describe(status))),"
                    + " who could \(subject == .data ? "change what is kept there" : "put any code there");"
                    + " change that with: chmod o-w \(path.quotedForShell)")
        }
        if status.st_uid != 0, status.st_uid != caller {
            let expected =
                caller == 0
                ? "not to root, who runs this host"
                : "neither to root nor to \(accounts.describe(user: caller)), who runs this host"
            let option = subject == .link ? "-h " : ""
            return ComponentFileError(
                code: .foreignOwner,
                message: "\(what) belongs to \(accounts.describe(user: status.st_uid)), \(expected)"
                    + " (\(describe(status))); change that with: chown \(option)\(caller) \(path.quotedForShell)")
        }
        if status.st_mode & S_IWGRP != 0, isShared, accounts.primaryGroup(of: status.st_uid) != status.st_gid {
            return ComponentFileError(
                code: .groupWritable,
                message: "\(what) is writable by the group \(accounts.describe(group: status.st_gid)), which is not"
                    + " its owner's own (\(describe(status)));"
                    + " change that with: chmod g-w \(path.quotedForShell)")
        }
        return nil
    }

    /// As in "mode 0664, owner alice (uid 1000)".
    private mutating func describe(_ status: stat) -> String {
        let digits = String(status.st_mode & 0o7777, radix: 8)
        let mode = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
        return "mode \(mode), owner \(accounts.describe(user: status.st_uid))"
    }
}
