import Glibc
import SystemSupport

/// The rules of ``TrustPolicy/strict`` for owners and permissions.
struct OwnershipRules {
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
