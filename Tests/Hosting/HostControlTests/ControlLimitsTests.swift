import ComponentKit
import HostControl
import Testing

@Suite("The default limits of a control channel")
struct ControlLimitsTests {
    @Test("are those that the pages name")
    func documented() {
        let limits = ControlLimits()
        // In RunningAHost.md, about the control socket.
        #expect(limits.connections == 256 && limits.calls == 8_192)
        #expect(limits.totalRequestBytes == 512 << 20)
        #expect(limits.unreadBytesBeforePause == 4 << 20 && limits.unreadBytes == 256 << 20)
        #expect(limits.totalUnreadBytes == 512 << 20)
        #expect(limits.patienceWithinFrame == .seconds(30))
    }

    @Test("let through what a call within one process can carry, and no client occupies more than all may")
    func room() {
        let limits = ControlLimits()
        #expect(limits.frameBytes > PayloadLimits.standard.bytes)
        #expect(limits.requestBytes >= limits.frameBytes && limits.requestBytes <= limits.totalRequestBytes)
        #expect(limits.unreadBytes <= limits.totalUnreadBytes)
        #expect(limits.patienceAfterEnd == .seconds(1))
    }
}
