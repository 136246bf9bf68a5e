import CGlibc
package import Glibc
import SystemSupport

/// The rules of ``TrustPolicy/strict`` for owners and permissions.
package struct PermissionRules {
    /// The kind of file that is checked.
    package enum Subject {
        /// A component's file.
        case file
        /// A directory of components or libraries.
        case directory
        /// A directory above another one. Anyone who may rename its entries could replace the directory below.
        case ancestor
        /// A symbolic link on the path to a library. Its permissions have no meaning.
        case link
        /// A directory in which components keep their data.
        case data
        /// A file that operators configure components with.
        case configuration
        /// A directory with such files.
        case configurations
        /// A file that a component reads.
        case resource
        /// A directory of such files.
        case resources
    }

    /// The effective user of the process.
    let caller: UInt32
    private var accounts = SystemAccountNames()

    package init(caller: UInt32 = geteuid()) { self.caller = caller }

    /// Returns the error for an owner or permissions that are refused; nil when both are fine.
    package mutating func problem(with status: stat, at path: String, _ subject: Subject) -> ComponentFileError? {
        let what =
            switch subject {
            case .file, .configuration, .resource: "the file"
            case .link: "the link \(path)"
            case .directory, .ancestor, .data, .configurations, .resources: "the directory \(path)"
            }
        let danger =
            switch subject {
            case .file, .directory, .ancestor, .link: "put code there"
            case .data: "change the data there"
            case .configuration, .configurations: "change the configuration"
            case .resource, .resources: "change the resources"
            }
        // In a sticky directory, only the owner of an entry or of the directory may rename the entry.
        let isSticky = subject == .ancestor && status.st_mode & S_ISVTX != 0
        let isShared = subject != .link && !isSticky
        if status.st_mode & S_IWOTH != 0, isShared {
            return ComponentFileError(
                .worldWritable,
                "\(what) is writable by everyone (\(describe(status))),"
                    + " so anyone could \(danger);"
                    + " fix it with: chmod o-w \(path.quotedForShell)")
        }
        if status.st_uid != 0, status.st_uid != caller {
            let expected =
                caller == 0
                ? "but must belong to root, the user of this host"
                : "but must belong to root or to \(accounts.describe(user: caller)), the user of this host"
            let option = subject == .link ? "-h " : ""
            return ComponentFileError(
                .foreignOwner,
                "\(what) belongs to \(accounts.describe(user: status.st_uid)), \(expected)"
                    + " (\(describe(status))); fix it with: chown \(option)\(caller) \(path.quotedForShell)")
        }
        if status.st_mode & S_IWGRP != 0, isShared, accounts.primaryGroup(of: status.st_uid) != status.st_gid {
            return ComponentFileError(
                .groupWritable,
                "\(what) is writable by the group \(accounts.describe(group: status.st_gid)), which is not"
                    + " its owner's primary group (\(describe(status)));"
                    + " fix it with: chmod g-w \(path.quotedForShell)")
        }
        // With a list, the bits of the group are the most that the list grants to anyone whom it names.
        if status.st_mode & S_IWGRP != 0, isShared, unsafe hslink_acl_names_writers(path) != 0 {
            return ComponentFileError(
                .groupWritable,
                "\(what) is writable by users or groups that its access control list names"
                    + " (\(describe(status))); fix it with: setfacl -b \(path.quotedForShell)")
        }
        return nil
    }

    /// Describes the mode and the owner in the form "mode 0664, owner alice (uid 1000)".
    private mutating func describe(_ status: stat) -> String {
        let digits = String(status.st_mode & 0o7777, radix: 8)
        let mode = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
        return "mode \(mode), owner \(accounts.describe(user: status.st_uid))"
    }
}
