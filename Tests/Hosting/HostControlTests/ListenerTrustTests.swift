import ComponentHost
import Foundation
import HostContract
import TestSupport
import Testing

@testable import HostControl

private let needsRoot: Comment = "needs root, to listen as another user"
private let foreigner: UInt32 = 12_345

@Suite("Checks of the listening process")
struct ListenerTrustTests {
    private func list(_ socket: String) async -> ControlError? {
        await #expect(throws: ControlError.self) {
            try await ControlClient.connected(to: socket) { try await $0.list() }
        }
    }

    @Test(
        "nothing is sent to a socket on which another user listens",
        .enabled(if: ForeignListener.isAllowed, needsRoot), arguments: [foreigner, 0])
    func stranger(owner: UInt32) async throws {
        let directory = try TemporaryDirectory()
        let socket = directory.path(of: "socket")
        let listener = try ForeignListener(at: socket, user: foreigner, owner: owner)
        let error = await list(socket)
        #expect(error?.code == .notAllowed)
        #expect(error?.message.contains("is served by uid 12345") == true)
        #expect(error?.message.hasSuffix("nothing was sent") == true)
        #expect(listener.end() == 0)
    }

    @Test("a starting host ignores another user's process", .enabled(if: ForeignListener.isAllowed, needsRoot))
    func starting() throws {
        let directory = try TemporaryDirectory()
        let socket = directory.path(of: "socket")
        let listener = try ForeignListener(at: socket, user: foreigner, owner: foreigner)
        let host = LinkHost(components: [], includesBuiltIn: false)
        let error = #expect(throws: ControlError.self) {
            _ = try ControlServer(host, socket: socket, logger: ServedHost.quietLogger)
        }
        #expect(error?.code == .notAllowed)
        #expect(error?.message.contains("uid 12345") == true)
        #expect(listener.end() == 0)
        #expect(FileManager.default.fileExists(atPath: socket))
    }

    @Test(
        "root uses a service user's host if no other user can have put its socket there",
        .enabled(if: ForeignListener.isAllowed, needsRoot),
        arguments: [
            (0, 0o755, true), (foreigner, 0o755, true), (foreigner, 0o775, false), (foreigner, 0o1777, false),
            (54_321, 0o755, false),
        ] as [(UInt32, mode_t, Bool)])
    func service(owner: UInt32, mode: mode_t, isAsked: Bool) async throws {
        // No parent may be writable by others, unlike that of the usual temporary directories.
        let directory = "/run/hslink-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let isPrepared = unsafe chown(directory, owner, owner) == 0 && chmod(directory, mode) == 0
        try #require(isPrepared)
        let listener = try ForeignListener(at: "\(directory)/socket", user: foreigner, owner: foreigner)
        let error = await list("\(directory)/socket")
        // It takes the request and closes the connection.
        #expect(error?.code == (isAsked ? .connectionLost : .notAllowed), "\(String(describing: error))")
        let received = try #require(listener.end())
        #expect((received > 0) == isAsked)
    }

    @Test(
        "the command that mends a directory is safe to copy into a shell",
        arguments: [("open", "open", ""), ("so;touch x", "so;touch x", "'"), ("it's", #"it'\''s"#, "'")])
    func mending(name: String, word: String, quote: String) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.makeDirectory(name)
        try directory.setMode(0o777, of: name)
        let trust = SocketTrust(try SocketPath("\(path)/s"))
        let error = #expect(throws: ControlError.self) { try trust.checkDirectory() }
        let command = "chmod o-w \(quote)\(directory.path)/\(word)\(quote)"
        #expect(error?.message.hasSuffix("; fix it with: \(command)") == true, "\(error?.message ?? "")")
    }

    @Test("a socket in a world-writable directory is refused, unless the directory is sticky")
    func directory() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.makeDirectory("open")
        let host = LinkHost(components: [], includesBuiltIn: false)
        func server() throws -> ControlServer {
            try ControlServer(host, socket: "\(path)/socket", logger: ServedHost.quietLogger)
        }
        try directory.setMode(0o777, of: "open")
        let refused = #expect(throws: ControlError.self) { _ = try server() }
        #expect(refused?.code == .notAllowed)
        try directory.setMode(0o1777, of: "open")
        let own = try server()
        let running = Task { try await own.run() }
        #expect(try await ControlClient.connected(to: own.socket) { try await $0.list() }.components.isEmpty)
        try directory.setMode(0o777, of: "open")
        let error = await list(own.socket)
        #expect(error?.code == .notAllowed)
        #expect(error?.message.contains("chmod o-w \(path)") == true)
        await own.stop(grace: .zero)
        try await running.value
    }
}
