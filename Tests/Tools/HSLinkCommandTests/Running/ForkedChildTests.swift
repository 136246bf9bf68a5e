import Foundation
import TestSupport
import Testing

@Suite("Children that components fork")
struct ForkedChildTests {
    /// Calls `body` with a host that has a forked child, then ends both.
    ///
    /// - Parameters:
    ///   - selector: The method that forks.
    ///   - data: The data directory.
    ///   - body: Called with the host and the number of the child.
    private func withChild(
        of selector: String, data: String, body: (RunningHost, Int32, String) async throws -> Void
    ) async throws {
        try await withPlugins("Forks", "NeverReplies") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path, "--data", data])
            let printed = try await host.call("ForksLink", selector, "--class-method").standardOutput
            let child = try #require(Int32(printed.trimmingCharacters(in: .whitespacesAndNewlines)), "\(printed)")
            defer { kill(child, SIGKILL) }
            try await body(host, child, plugins.path)
            // Everything that was checked was checked beside the child.
            #expect(kill(child, 0) == 0)
        }
    }

    @Test(
        "neither the data directory nor the control socket belongs to them",
        arguments: [SIGTERM, SIGKILL])
    func nothing(signal: Int32) async throws {
        let place = try TemporaryDirectory()
        let data = place.path(of: "data")
        try await withChild(of: "fork", data: data) { first, child, plugins in
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child)/fd").compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(child)/fd/\($0)")
            }
            #expect(!open.contains { $0.hasSuffix("/.host.lock") }, "\(open)")
            // The host keeps both.
            let beside = try await hslink("run", "--plugins", plugins, "--data", data, "--control", "none")
            #expect(beside.standardError.contains("is in use by process \(first.identifier) (hslink); stop it"))
            _ = await first.end(signal)
            let second = try await RunningHost.start(["--plugins", plugins, "--data", data], socket: first.socket)
            #expect(await second.end() == 0)
        }
    }

    @Test("a client of a host that has crashed beside a child learns that")
    func client() async throws {
        let place = try TemporaryDirectory()
        try await withPlugins("Forks", "NeverReplies") { plugins in
            let host = try await RunningHost.start(["--plugins", plugins.path, "--data", place.path(of: "data")])
            async let call = host.call("NeverRepliesLink", "run", "--class-method")
            #expect(await holds { try await host.list().standardOutput.contains("1 call in flight") })
            let printed = try await host.call("ForksLink", "fork", "--class-method").standardOutput
            let child = try #require(Int32(printed.trimmingCharacters(in: .whitespacesAndNewlines)), "\(printed)")
            defer { kill(child, SIGKILL) }
            _ = await host.end(SIGKILL)
            #expect(try await call.standardError.contains("the host closed the connection before it answered"))
            #expect(kill(child, 0) == 0)
        }
    }

    @Test("one that the host could not keep out is named")
    func named() async throws {
        let place = try TemporaryDirectory()
        let data = place.path(of: "data")
        try await withChild(of: "forkWithoutHandlers", data: data) { first, child, plugins in
            let name = try String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8).dropLast()
            _ = await first.end(SIGKILL)
            let second = try await hslink("run", "--plugins", plugins, "--data", data, "--control", "none")
            #expect(
                second.standardError.contains(
                    "is locked by process \(child) (\(name)), which inherited the lock from process "
                        + "\(first.identifier) (hslink), a host that has ended; end that process, or use"), "\(second)")
            let third = try await hslink(
                "run", "--plugins", plugins, "--data", place.path(of: "other"), "--control", first.socket)
            #expect(
                third.standardError.contains(
                    "a child of the host with the process number \(first.identifier), which has ended, still listens "
                        + "at \(first.socket); end the child, or"), "\(third)")
        }
    }
}
