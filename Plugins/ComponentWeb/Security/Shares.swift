import ComponentKit
import Glibc
import NIOCore

/// Who takes a place of which there are only so many.
enum ShareOwner: Hashable, Sendable {
    case session(Session)
    case address(ClientAddress)
}

/// Counts places of which there are only so many, such as those for streams. Each session and each address has a share,
/// so that none takes all of them.
final class Shares: Sendable {
    /// Why there is no place.
    enum Refusal: Hashable, Sendable {
        /// All are taken.
        case full
        /// This owner has taken its share.
        case share(ShareOwner)
    }

    private let most: Int
    private let mostOfSession: Int
    private let state = Lock((all: 0, of: [ShareOwner: Int]()))

    /// - Parameters:
    ///   - most: how many places there are.
    ///   - ofSession: the share of a session; nil for all of them.
    init(_ most: Int, ofSession: Int? = nil) {
        self.most = most
        mostOfSession = ofSession ?? most
    }

    /// The share of an address: a quarter, since many people may share one, but never so little that one person has no
    /// use of it.
    static func ofAddress(of most: Int) -> Int { max(most / 4, min(most, 32)) }

    /// Takes a place.
    ///
    /// - Returns: nil if there was one.
    func take(for owners: [ShareOwner]) -> Refusal? {
        state.withLock { state in
            guard state.all < most else { return .full }
            for owner in owners where state.of[owner, default: 0] >= share(of: owner) { return .share(owner) }
            state.all += 1
            for owner in owners { state.of[owner, default: 0] += 1 }
            return nil
        }
    }

    /// Gives back a place that was taken for the same owners.
    func giveBack(for owners: [ShareOwner]) {
        state.withLock { state in
            state.all -= 1
            for owner in owners {
                let left = state.of[owner, default: 0] - 1
                state.of[owner] = left > 0 ? left : nil
            }
        }
    }

    private func share(of owner: ShareOwner) -> Int {
        switch owner {
        case .session: mostOfSession
        case .address: Shares.ofAddress(of: most)
        }
    }
}

/// Where a connection comes from, as far as it counts: an address of IPv4, or the network of one of IPv6, in which a
/// person has as many addresses as they like.
struct ClientAddress: Hashable, Sendable {
    private let bytes: [UInt8]

    /// - Returns: nil for this machine, whose users, tunnels and proxies all have the same address.
    init?(_ address: SocketAddress?) {
        switch address {
        case .v4(let address):
            self.init(address: unsafe withUnsafeBytes(of: address.address.sin_addr.s_addr) { unsafe Array($0) })
        case .v6(let address):
            self.init(address: unsafe withUnsafeBytes(of: address.address.sin6_addr) { unsafe Array($0) })
        case .unixDomainSocket, nil: return nil
        }
    }

    /// - Parameter address: 4 or 16 bytes, the first one first.
    private init?(address: [UInt8]) {
        let (prefix, rest) = (address.prefix(12), Array(address.suffix(4)))
        switch address.count {
        case 4:
            guard address[0] != 127 else { return nil }
            bytes = address
        // IPv4 through a port of IPv6 (RFC 4291, section 2.5.5.2).
        case 16 where prefix.dropLast(2).allSatisfy { $0 == 0 } && prefix.suffix(2) == [0xFF, 0xFF]:
            guard rest[0] != 127 else { return nil }
            bytes = rest
        default:
            guard !prefix.allSatisfy({ $0 == 0 }) || rest != [0, 0, 0, 1] else { return nil }
            bytes = Array(address.prefix(8))
        }
    }
}

extension WebOptions {
    /// Where a browser connects from; nil if its address says nothing. Behind a proxy, every connection is the proxy's,
    /// and headers in which proxies name a browser's address are not trusted: a browser can send them, too.
    func client(of channel: any Channel) -> ClientAddress? {
        behindProxy ? nil : ClientAddress(channel.remoteAddress)
    }
}
