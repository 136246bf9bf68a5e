import ComponentKit
import NIOCore
import Testing

@testable import ComponentWeb

@Suite("Shares of what is limited")
struct ShareTests {
    private func address(_ text: String) throws -> ClientAddress? {
        ClientAddress(try SocketAddress(ipAddress: text, port: 1))
    }

    @Test("a session and an address have a share each, and what is given back can be taken again")
    func shares() throws {
        let shares = Shares(200, ofSession: 3)
        let sessions: [ShareOwner] = try (0..<30).map { .session(try Session(id: "s\($0)")) }
        let (one, other) = (try #require(try address("192.0.2.1")), try #require(try address("192.0.2.2")))
        for _ in 0..<3 { #expect(shares.take(for: [sessions[0]]) == nil) }
        #expect(shares.take(for: [sessions[0]]) == .share(sessions[0]))
        shares.giveBack(for: [sessions[0]])
        #expect(shares.take(for: [sessions[0]]) == nil)
        // A quarter of all, however many sessions there are behind the address.
        for number in 0..<50 {
            #expect(shares.take(for: [sessions[1 + number / 3], .address(one)]) == nil, "\(number)")
        }
        #expect(shares.take(for: [sessions[29], .address(one)]) == .share(.address(one)))
        #expect(shares.take(for: [sessions[29], .address(other)]) == nil)
    }

    @Test("when all are taken, the next one waits for one that is given back")
    func full() throws {
        let shares = Shares(2)
        let owners = [ShareOwner.session(try Session(id: "s"))]
        #expect(shares.take(for: owners) == nil && shares.take(for: []) == nil)
        #expect(shares.take(for: []) == .full)
        shares.giveBack(for: owners)
        #expect(shares.take(for: owners) == nil)
        #expect(shares.take(for: owners) == .full)
    }

    @Test("the share of an address is a quarter, or 32", arguments: [(1, 1), (20, 20), (100, 32), (500, 125)])
    func quarter(most: Int, share: Int) { #expect(Shares.ofAddress(of: most) == share) }

    @Test(
        "this machine has no share: its users, tunnels and proxies have one address",
        arguments: ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])
    func loopback(text: String) throws { #expect(try address(text) == nil) }

    @Test(
        "addresses of one network of IPv6 are one, and those of IPv4 are the same through a port of IPv6",
        arguments: [
            ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
            ("::ffff:192.0.2.1", "192.0.2.1", true), ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", true),
            ("2001:db8:0:1::1", "2001:db8:0:2::1", false), ("::2", "::3", true), ("1.2.3.4", "::1.2.3.4", false),
        ])
    func addresses(first: String, second: String, isSame: Bool) throws {
        let (first, second) = (try #require(try address(first)), try #require(try address(second)))
        #expect((first == second) == isSame)
    }

    @Test("what is no address of the internet has no share")
    func others() throws {
        #expect(ClientAddress(nil) == nil)
        #expect(ClientAddress(try SocketAddress(unixDomainSocketPath: "/tmp/a")) == nil)
    }
}
