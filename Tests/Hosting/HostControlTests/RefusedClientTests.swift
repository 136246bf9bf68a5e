import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import HostControl

@Suite("Refused clients")
struct RefusedClientTests {
    @Test("a client receives the reason even if the host has closed the connection")
    func closedAfterRefusal() async throws {
        let directory = try TemporaryDirectory()
        let listener = try ControlListener(try SocketPath(directory.path(of: "socket")))
        let refusal = ControlError(.notAllowed, "for this test nobody is served")
        let frame = RawClient.frame(ControlAnswer(id: nil, .refusal(refusal)).encoded(limit: 1 << 10).bytes)
        let host = Thread {
            while true {
                listener.wait(-1)
                guard let client = listener.accept() else { break }
                _ = unsafe frame.withUnsafeBytes { unsafe send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                close(client)
            }
        }
        host.start()
        defer { listener.end() }
        for _ in 1...200 {
            let error = await #expect(throws: ControlError.self) {
                try await ControlClient.connected(to: listener.path) { host in _ = try await host.list() }
            }
            #expect(error?.message == refusal.message)
        }
    }
}
