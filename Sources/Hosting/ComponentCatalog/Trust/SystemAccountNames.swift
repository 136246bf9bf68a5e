import Glibc

/// Looks up the system's users and groups, for rules and messages. Users are cached.
struct SystemAccountNames {
    private var users: [uid_t: User?] = [:]

    private struct User {
        let name: String
        let primaryGroup: gid_t
    }

    init() {}

    /// Returns the primary group of a user. For a caller without an account, as in a container with an arbitrary user
    /// id, this is the group that the process runs with.
    mutating func primaryGroup(of user: uid_t) -> gid_t? {
        lookUp(user)?.primaryGroup ?? (user == geteuid() ? getegid() : nil)
    }

    /// Describes a user in the form "alice (uid 1000)", or "uid 1000" for a user without a name.
    mutating func describe(user: uid_t) -> String {
        guard let name = lookUp(user)?.name else { return "uid \(user)" }
        return "\(name) (uid \(user))"
    }

    /// Describes a group in the form "staff (gid 50)", or "gid 50" for a group without a name.
    func describe(group: gid_t) -> String {
        let name = unsafe SystemAccountNames.withBuffer { memory, count in
            var entry = unsafe Glibc.group()
            var found: UnsafeMutablePointer<Glibc.group>?
            let error = unsafe getgrgid_r(group, &entry, memory, count, &found)
            return unsafe (error, found.map { unsafe String(cString: $0.pointee.gr_name) })
        }
        guard let name else { return "gid \(group)" }
        return "\(name) (gid \(group))"
    }

    private mutating func lookUp(_ user: uid_t) -> User? {
        if let known = users[user] { return known }
        let found = unsafe SystemAccountNames.withBuffer { memory, count in
            var entry = unsafe passwd()
            var found: UnsafeMutablePointer<passwd>?
            let error = unsafe getpwuid_r(user, &entry, memory, count, &found)
            return unsafe (
                error,
                found.map { unsafe User(name: String(cString: $0.pointee.pw_name), primaryGroup: $0.pointee.pw_gid) }
            )
        }
        users[user] = .some(found)
        return found
    }

    /// Calls `body` with increasingly large buffers, up to 1 MB, until it returns something other than ERANGE.
    private static func withBuffer<Found>(
        _ body: (UnsafeMutablePointer<CChar>, Int) -> (error: Int32, found: Found?)
    ) -> Found? {
        var capacity = 1024
        while capacity <= 1 << 20 {
            let memory = UnsafeMutablePointer<CChar>.allocate(capacity: capacity)
            let answer = unsafe body(memory, capacity)
            unsafe memory.deallocate()
            if answer.error != ERANGE { return answer.found }
            capacity *= 4
        }
        return nil
    }
}
