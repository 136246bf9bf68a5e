import NIOCore
import NIOHTTP1

/// Fails every request on a connection to a private address. It sees the address to which the connection was made, so no
/// name and no redirect gets around it.
final class AddressCheck: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart

    /// The error of the requests.
    struct Refusal: Error {}

    private var isOver = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        promise?.fail(Refusal())
        guard !isOver else { return }
        isOver = true
        // The client is still sending; it takes errors between two steps only.
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.execute { loopBound.value.fireErrorCaught(Refusal()) }
    }
}

extension WebAddress {
    /// Whether the server is given by its address, and that is private.
    var isPrivate: Bool {
        let text = String(decoding: host.utf8.filter { !"[]".utf8.contains($0) }, as: UTF8.self)
        return (try? SocketAddress(ipAddress: text, port: 0))?.isPrivate == true
    }
}

extension SocketAddress {
    /// Whether this is no address of one machine on the internet, but of this machine, of a private network, of many
    /// machines, or of none (the registries of special-purpose addresses, RFC 6890).
    var isPrivate: Bool {
        switch self {
        case .v4(let address): SocketAddress.isPrivate(UInt32(bigEndian: address.address.sin_addr.s_addr))
        case .v6(let address):
            SocketAddress.isPrivate(unsafe withUnsafeBytes(of: address.address.sin6_addr) { unsafe Array($0) })
        case .unixDomainSocket: true
        }
    }

    private static let privateBlocks: [(first: UInt32, bits: UInt32)] = [
        (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
        (0xC000_0000, 24), (0xC000_0200, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xC633_6400, 24),
        (0xCB00_7100, 24), (0xE000_0000, 3),
    ]

    private static func isPrivate(_ address: UInt32) -> Bool {
        privateBlocks.contains { address >> (32 - $0.bits) == $0.first >> (32 - $0.bits) }
    }

    private static func isPrivate(_ bytes: [UInt8]) -> Bool {
        let words = stride(from: 0, to: 16, by: 4).map { at in
            bytes[at..<at + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        // IPv4 addresses in the forms of IPv6: mapped, for NAT64, and for 6to4.
        switch (words[0], words[1], words[2]) {
        case (0, 0, 0xFFFF), (0x0064_FF9B, 0, 0): return isPrivate(words[3])
        case (0x2002_0000...0x2002_FFFF, _, _): return isPrivate(words[0] << 16 | words[1] >> 16)
        // Only 2000::/3 is in use, without the blocks for protocols and documentation.
        default: return words[0] >> 29 != 1 || words[0] >> 9 == 0x2001_0000 >> 9 || words[0] == 0x2001_0DB8
        }
    }
}
