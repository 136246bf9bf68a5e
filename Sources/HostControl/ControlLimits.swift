import ComponentKit

/// How much one side of a control channel takes of the other.
public struct ControlLimits: Hashable, Sendable {
    /// Bytes of a frame without its length. The default carries every payload that a call in one process can have.
    public var frameBytes = PayloadLimits.message.bytes
    /// Connections to a host at a time.
    public var connections = 256
    /// Calls of one connection that have begun and not been answered.
    public var calls = 8192
    /// Bytes of the requests of those calls.
    public var requestBytes = 512 << 20
    /// Bytes of the requests of all connections: of those calls, and of frames that have not come to their end. The first
    /// 64 KiB of a connection do not count, so small requests go on when there is nothing left.
    public var totalRequestBytes = 512 << 20
    /// Bytes of answers that the other side of a connection has not taken.
    public var unreadBytes = 512 << 20

    /// The usual.
    public init() {}
}

extension PayloadLimits {
    /// The limits of a request or an answer: those of a payload, and the envelope around it.
    static let message = PayloadLimits(
        depth: standard.depth + 2, nodes: standard.nodes + 32, bytes: standard.bytes + (1 << 20))
}
