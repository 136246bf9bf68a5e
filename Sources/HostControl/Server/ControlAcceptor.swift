import Glibc
import NIOCore
import NIOPosix

/// Takes clients in, on a thread of its own, and gives each to an event loop: new ones come in whatever runs on those.
struct ControlAcceptor {
    private let server: ControlServer
    private let listener: ControlListener
    private let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
    private var last = 0

    init(_ server: ControlServer, _ listener: ControlListener) {
        self.server = server
        self.listener = listener
    }

    /// Blocks until the server is being stopped.
    consuming func run() {
        while !server.isStopping {
            listener.wait()
            if !server.isStopping, let client = listener.accept() { serve(client) }
        }
        // Nobody serves those that still wait.
        while let client = listener.accept() { close(client) }
    }

    private mutating func serve(_ client: Int32) {
        last = (last + 1) % loops.count
        let loop = loops[last]
        let connection = ControlConnection(server, on: loop)
        let peer = (try? PeerCredentials.of(client)) ?? PeerCredentials()
        let refusal = server.admit(connection, of: peer)
        ClientBootstrap(group: loop)
            .channelInitializer { channel in
                loop.makeCompletedFuture { try connection.serve(channel, refusing: refusal) }
            }
            .withConnectedSocket(client)
            .whenFailure { _ in connection.channelClosed() }
    }
}
