import Foundation
import TestSupport
import Testing

@testable import ComponentCatalog

@Suite("Rules for owners and permissions")
struct PermissionRulesTests {
    typealias Code = ComponentFileError.Code

    /// Owners and permissions, and the verdict of the rules for user 4321.
    struct Case: CustomTestStringConvertible, Sendable {
        let mode: mode_t
        let owner: uid_t
        let group: gid_t
        let subject: PermissionRules.Subject
        let code: Code?

        init(_ mode: mode_t, owner: uid_t = 0, group: gid_t = 0, _ subject: PermissionRules.Subject, _ code: Code?) {
            self.mode = mode
            self.owner = owner
            self.group = group
            self.subject = subject
            self.code = code
        }

        var testDescription: String { "\(String(mode, radix: 8)) \(owner):\(group) \(subject)" }
    }

    /// A user ID and a group ID that no system assigns.
    static let stranger: uid_t = 3_999_999_999
    static let caller: uid_t = 4321

    static let cases: [Case] = [
        Case(0o644, .file, nil),
        Case(0o755, .directory, nil),
        Case(0o444, owner: caller, group: 77, .file, nil),
        Case(0o664, .file, nil),
        Case(0o775, .directory, nil),
        Case(0o646, .file, .worldWritable),
        Case(0o602, .file, .worldWritable),
        Case(0o757, .directory, .worldWritable),
        Case(0o1777, .directory, .worldWritable),
        Case(0o1777, .ancestor, nil),
        Case(0o777, .ancestor, .worldWritable),
        Case(0o664, group: 77, .file, .groupWritable),
        Case(0o775, group: 77, .directory, .groupWritable),
        Case(0o1775, group: 77, .ancestor, nil),
        Case(0o775, group: 77, .ancestor, .groupWritable),
        Case(0o664, owner: caller, group: 77, .file, .groupWritable),
        Case(0o644, owner: stranger, .file, .foreignOwner),
        Case(0o755, owner: stranger, .directory, .foreignOwner),
        Case(0o755, owner: stranger, .ancestor, .foreignOwner),
        Case(0o1777, owner: stranger, .ancestor, .foreignOwner),
        Case(0o755, owner: caller, group: 77, .ancestor, nil),
    ]

    @Test("trust depends on write access", arguments: cases)
    func rules(_ given: Case) {
        var status = stat()
        status.st_mode = S_IFREG | given.mode
        status.st_uid = given.owner
        status.st_gid = given.group
        var rules = PermissionRules(caller: Self.caller)
        #expect(rules.problem(with: status, at: "/opt/x.so", given.subject)?.code == given.code)
    }

    @Test("whoever an access control list lets write counts", arguments: [UInt16(2), 4, 6], [UInt16(2), 8])
    func lists(permissions: UInt16, tag: UInt16) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("x", to: "x.so")
        // See linux/posix_acl_xattr.h: the owner, a named user or group, the owning group, the mask, and the others.
        let none = UInt32.max
        let entries: [(tag: UInt16, permissions: UInt16, id: UInt32)] = [
            (1, 6, none), (tag, permissions, 12345), (4, 4, none), (0x10, 6, none), (0x20, 4, none),
        ]
        let ordered = entries.sorted { $0.tag < $1.tag }
        var list: [UInt8] = [2, 0, 0, 0]
        for entry in ordered {
            list += [UInt8(entry.tag), 0, UInt8(entry.permissions), 0]
            list += (0..<4).map { UInt8(truncatingIfNeeded: entry.id >> ($0 * 8)) }
        }
        typealias SetAttribute =
            @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32) -> Int32
        guard let symbol = unsafe dlsym(nil, "setxattr") else {
            Issue.record("the system has no setxattr")
            return
        }
        let set = unsafe unsafeBitCast(symbol, to: SetAttribute.self)
        let isSet = unsafe list.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            return unsafe set(path, "system.posix_acl_access", start, bytes.count, 0) == 0
        }
        // Not every file system has lists.
        if !isSet, errno == ENOTSUP { return }
        try #require(isSet)
        var status = stat()
        try #require(unsafe stat(path, &status) == 0)
        var rules = PermissionRules(caller: status.st_uid)
        let problem = rules.problem(with: status, at: path, .file)
        #expect(problem?.code == (permissions & 2 == 0 ? nil : .groupWritable))
        #expect(problem?.message.contains("fix it with: setfacl -b \(path)") == (permissions & 2 == 0 ? nil : true))
    }

    @Test("the message has the mode, the owner and the command")
    func messages() {
        var rules = PermissionRules(caller: Self.caller)
        var status = stat()
        status.st_mode = S_IFREG | 0o666
        let world = rules.problem(with: status, at: "/opt/a b.so", .file)
        #expect(
            world?.message == "the file is writable by everyone (mode 0666, owner root (uid 0)), so anyone could put"
                + " code there; fix it with: chmod o-w '/opt/a b.so'")

        status.st_mode = S_IFDIR | 0o1775
        status.st_gid = Self.stranger
        let group = rules.problem(with: status, at: "/opt", .directory)
        #expect(
            group?.message == "the directory /opt is writable by the group gid 3999999999, which is not its owner's"
                + " primary group (mode 1775, owner root (uid 0)); fix it with: chmod g-w /opt")

        status.st_mode = S_IFREG | 0o644
        status.st_uid = Self.stranger
        let owner = rules.problem(with: status, at: "/opt/x.so", .file)
        #expect(
            owner?.message == "the file belongs to uid 3999999999, but must belong to root or to uid 4321,"
                + " the user of this host (mode 0644, owner uid 3999999999); fix it with: chown 4321 /opt/x.so")
    }
}
