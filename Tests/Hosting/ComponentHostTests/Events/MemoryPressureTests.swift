import ComponentKit
import Foundation
import Testing

@testable import ComponentHost

@Suite("Memory pressure")
struct MemoryPressureTests {
    /// A connection whose receiving end has `POLLPRI` after urgent data, as a trigger of the kernel has.
    private struct Urgent {
        let receiver: Int32
        let sender: Int32

        init() throws {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(listener) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            sender = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            let sender = sender
            let isConnected = unsafe withUnsafeMutablePointer(to: &address) { address in
                unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    unsafe bind(listener, address, size) == 0 && listen(listener, 1) == 0
                        && getsockname(listener, address, &size) == 0 && connect(sender, address, size) == 0
                }
            }
            try #require(isConnected)
            receiver = accept(listener, nil, nil)
        }

        func send() throws {
            let count = unsafe Foundation.send(sender, "!", 1, Int32(MSG_OOB))
            try #require(count == 1)
        }
    }

    @Test("each time the kernel tells, the highest level is reported, until the end")
    func triggers() async throws {
        let (some, full) = (try Urgent(), try Urgent())
        let levels = Collected<MemoryPressure.Level>()
        let monitor = MemoryPressureMonitor([
            .init(descriptor: some.receiver, level: .some), .init(descriptor: full.receiver, level: .full),
        ]) { level in
            levels.add(level)
            // Urgent data stays until it is read.
            var byte: UInt8 = 0
            let descriptor = level == .full ? full.receiver : some.receiver
            _ = unsafe recv(descriptor, &byte, 1, Int32(MSG_OOB))
        }
        #expect(monitor.start())
        try some.send()
        #expect(await levels.first(1) == [.some])
        try full.send()
        #expect(await levels.first(2) == [.some, .full])
        monitor.stop()
        close(some.sender)
        close(full.sender)
    }

    @Test("a kernel without the information, and files that are none of the kernel's, give no trigger")
    func absent() throws {
        #expect(MemoryPressureMonitor.open(["/nonexistent", "/proc/self/status"]).isEmpty)
        #expect(!MemoryPressureMonitor([]) { _ in }.start())
    }

    @Test("the kernel accepts the triggers, if it has the information")
    func kernel() throws {
        guard FileManager.default.isWritableFile(atPath: "/proc/pressure/memory") else { return }
        #expect(MemoryPressureMonitor.paths.last == "/proc/pressure/memory")
        let triggers = MemoryPressureMonitor.open()
        #expect(triggers.map(\.level) == [.some, .full])
        let monitor = MemoryPressureMonitor(triggers) { _ in }
        #expect(monitor.start())
        monitor.stop()
    }
}
