import NIOCore

/// A client's connection as frames.
typealias ControlChannel = NIOAsyncChannel<Frame, ByteBuffer>

extension ControlLimits {
    /// Makes a connection to one of frames. On the event loop of the channel.
    func makeChannel(_ channel: any Channel) -> EventLoopFuture<ControlChannel> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
                ByteToMessageHandler(FrameDecoder(limit: frameBytes)))
            return try ControlChannel(wrappingChannelSynchronously: channel)
        }
    }
}
