import ComponentKit

/// The limits that one side of a control channel imposes on the other.
public struct ControlLimits: Hashable, Sendable {
    /// The maximum size of a frame in bytes, without its length prefix. By default, any payload that a call
    /// within one process can carry fits.
    public var frameBytes = PayloadLimits.message.bytes
    /// The maximum number of concurrent connections to a host.
    public var connections = 256
    /// The maximum number of requests in flight on one connection.
    public var calls = 8192
    /// The maximum total size, in bytes, of the requests in flight on one connection.
    public var requestBytes = 512 << 20
    /// The maximum total size, in bytes, of the requests from all connections: those in flight, and incomplete
    /// frames.
    /// Each connection counts in whole pieces of 64 KiB, so small requests still succeed when the limit is reached.
    public var totalRequestBytes = 512 << 20
    /// The maximum number of bytes of answers that wait to be written because the peer of a connection does not read.
    public var unreadBytes = 512 << 20

    /// Makes the default limits.
    public init() {}
}

extension PayloadLimits {
    /// The limits of a request or an answer: those of a payload, and room for the envelope.
    static let message = PayloadLimits(
        depth: standard.depth + 2, nodes: standard.nodes + 32, bytes: standard.bytes + (1 << 20))
}
