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
    /// The number of bytes of answers that wait to be written to a connection, above which the host reads no more
    /// requests from it. Once a sixteenth of it waits, requests in flight count as well, each with its size and 4 KiB,
    /// because their answers will wait, too. The host continues when half of it has been written. A client that reads its
    /// answers may have as much in flight as the other limits permit.
    public var unreadBytesBeforePause = 4 << 20
    /// The maximum number of bytes of answers that wait to be written because the peer of a connection does not read
    /// while its calls end. A connection that exceeds it is ended. A single answer may be larger.
    public var unreadBytes = 256 << 20
    /// The maximum number of bytes of answers that wait to be written to all connections. If it is exceeded, the host
    /// ends the connection that has made no progress for the longest time. Each connection counts in whole pieces of
    /// 64 KiB.
    public var totalUnreadBytes = 512 << 20
    /// How long the host waits for more of a frame that has not arrived completely, while it reads from the connection.
    /// Then it ends the connection, because the frame keeps memory from others.
    public var patienceWithinFrame = Duration.seconds(30)
    /// How long the peer may take to read the reason for the end of its connection, until the connection is closed.
    public var patienceAfterEnd = Duration.seconds(1)

    /// Makes the default limits.
    public init() {}
}

extension PayloadLimits {
    /// The limits of a request or an answer: those of a payload, and room for the envelope.
    static let message = PayloadLimits(
        depth: standard.depth + 2, nodes: standard.nodes + 32, bytes: standard.bytes + (1 << 20))
}
