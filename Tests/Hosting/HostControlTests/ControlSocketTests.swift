import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import HostControl

@Suite("Control sockets in the file system")
struct ControlSocketTests {
    let directory: TemporaryDirectory
    let host = LinkHost(components: [], includesBuiltIn: false)

    init() throws { directory = try TemporaryDirectory() }

    private func server(_ name: String = "socket") throws -> ControlServer {
        try ControlServer(host, socket: directory.path(of: name), logger: ServedHost.quietLogger)
    }

    private func code(_ body: () throws -> Void) -> ControlError.Code? {
        #expect(throws: ControlError.self) { try body() }?.code
    }

    @Test("only the owner may use the socket")
    func mode() throws {
        let server = try server()
        var status = stat()
        #expect(unsafe lstat(server.socket, &status) == 0)
        #expect(status.st_mode & S_IFMT == S_IFSOCK)
        #expect(status.st_mode & 0o7777 == 0o600)
    }

    @Test("a listening host keeps its socket, a stale socket is replaced, others are not removed")
    func taken() async throws {
        let first = try server()
        #expect(code { _ = try server() } == .inUse)
        await first.stop(grace: .zero)
        let second = try server()
        // A second removal finds a different socket.
        await first.stop(grace: .zero)
        #expect(FileManager.default.fileExists(atPath: second.socket))
    }

    @Test("a change of the current directory moves no socket, and leaves none behind")
    func currentDirectory() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            try #require(FileManager.default.changeCurrentDirectoryPath(directory.path))
            let host = LinkHost(components: [], includesBuiltIn: false)
            let server = try ControlServer(host, socket: "socket", logger: ServedHost.quietLogger)
            try #require(FileManager.default.changeCurrentDirectoryPath("/"))
            #expect(server.socket == directory.path(of: "socket"))
            #expect(FileManager.default.fileExists(atPath: server.socket))
            await server.stop(grace: .zero)
            #expect(!FileManager.default.fileExists(atPath: server.socket))
        }
    }

    @Test("of many hosts that start at once, one replaces a stale socket")
    func race() async throws {
        let path = directory.path(of: "socket")
        _ = try ControlListener(SocketPath(path))
        #expect(FileManager.default.fileExists(atPath: path))
        let made = await withTaskGroup(of: ControlListener?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await awaitResume { resume in
                        Thread.detachNewThread { resume(try? ControlListener(SocketPath(path))) }
                    }
                }
            }
            return await group.reduce(into: [ControlListener?]()) { $0.append($1) }.compactMap(\.self)
        }
        #expect(made.count == 1)
    }

    @Test("a file that is not a socket is left alone")
    func notASocket() throws {
        try directory.write("precious", to: "file")
        #expect(code { _ = try server("file") } == .notASocket)
        #expect(try String(contentsOfFile: directory.path(of: "file"), encoding: .utf8) == "precious")
        try directory.link("link", to: "nowhere")
        #expect(code { _ = try server("link") } == .notASocket)
        try directory.makeDirectory("folder")
        #expect(code { _ = try server("folder") } == .notASocket)
        #expect(code { _ = try server("missing/socket") } == .invalidPath)
        #expect(code { _ = try server("file/socket") } == .invalidPath)
    }

    @Test("a client learns what is wrong with the socket")
    func asking() async throws {
        func error(_ name: String) async -> ControlError? {
            let path = directory.path(of: name)
            return await #expect(throws: ControlError.self) {
                try await ControlClient.connected(to: path) { try await $0.list() }
            }
        }
        #expect(await error("nothing")?.code == .noSocket)
        try directory.write("text", to: "file")
        #expect(await error("file")?.code == .notASocket)
        _ = try ControlListener(SocketPath(directory.path(of: "stale")))
        #expect(await error("stale")?.code == .nobodyListens)
        #expect(await error(String(repeating: "x", count: 200))?.code == .invalidPath)
        let datagrams = directory.path(of: "datagrams")
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        _ = unsafe try SocketPath(datagrams).withAddress { unsafe bind(descriptor, $0, $1) }
        #expect(await error("datagrams")?.code == .notASocket)
    }

    @Test("a host that disappears during a call is distinguished from one that answers")
    func goesAway() async throws {
        let listener = try ControlListener(SocketPath(directory.path(of: "socket")))
        let path = listener.path
        Thread.detachNewThread {
            listener.wait(-1)
            guard let client = listener.accept() else { return }
            _ = fcntl(client, F_SETFL, 0)
            var bytes = [UInt8](repeating: 0, count: 4)
            _ = unsafe recv(client, &bytes, 4, 0)
            close(client)
        }
        let error = await #expect(throws: ControlError.self) {
            try await ControlClient.connected(to: path) { try await $0.list() }
        }
        #expect(error?.code == .connectionLost)
        listener.remove()
    }
}
