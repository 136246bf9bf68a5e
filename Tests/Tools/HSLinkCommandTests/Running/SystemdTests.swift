import Foundation
import TestSupport
import Testing

@testable import hslink

@Suite("What systemd is told")
struct SystemdTests {
    @Test("when the host is ready, and when it stops")
    func states() async throws {
        try await withPlugins { plugins in
            let systemd = try NotifySocket()
            let host = try await RunningHost.start(
                ["--plugins", plugins.path], environment: ["NOTIFY_SOCKET": systemd.path])
            #expect(await host.end() == 0)
            #expect(systemd.messages() == ["READY=1", "STOPPING=1"])
        }
    }

    @Test("that the host is alive, if it is watched")
    func watchdog() async throws {
        try await withPlugins { plugins in
            let systemd = try NotifySocket()
            let host = try await RunningHost.start(
                ["--plugins", plugins.path], environment: ["NOTIFY_SOCKET": systemd.path, "WATCHDOG_USEC": "20000"])
            var told: [String] = []
            let isTold = await holds {
                told += systemd.messages()
                return told.count { $0 == "WATCHDOG=1" } >= 3
            }
            #expect(isTold, "\(told)")
            #expect(told.first == "READY=1")
            #expect(await host.end() == 0)
        }
    }

    @Test(
        "which processes are watched",
        arguments: [
            ([:], nil), (["WATCHDOG_USEC": "60000000"], 60_000_000),
            (["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "7"], 60_000_000),
            (["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "8"], nil),
            (["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": ""], nil), (["WATCHDOG_USEC": "0"], nil),
            (["WATCHDOG_USEC": "-5"], nil), (["WATCHDOG_USEC": "soon"], nil), (["WATCHDOG_PID": "7"], nil),
        ] as [([String: String], Int?)])
    func limit(variables: [String: String], limit: Int?) {
        #expect(SystemdNotifier.watchdogLimit({ variables[$0] }, process: 7) == limit)
    }
}

/// A socket in the place of systemd's.
private final class NotifySocket: Sendable {
    let path: String
    private let directory: TemporaryDirectory
    private let receiver: Int32

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path(of: "notify")
        receiver = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let isBound = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(receiver, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound)
    }

    deinit { close(receiver) }

    /// The messages that have arrived since this was last asked.
    func messages() -> [String] {
        var messages: [String] = []
        var bytes = [UInt8](repeating: 0, count: 100)
        while true {
            let count = unsafe recv(receiver, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return messages }
            messages.append(String(decoding: bytes[..<count], as: UTF8.self))
        }
    }
}
