import ComponentKit
import Glibc
import Logging
import NIOCore
import NIOPosix
import SystemSupport

/// Accepts clients on a dedicated thread and assigns each to an event loop. Methods declared quick run on event loops,
/// so the acceptor also checks whether one of them blocks its loop.
struct ControlAcceptor {
    private let server: ControlServer
    private let listener: ControlListener
    private let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
    private var last = 0
    /// The event loops that methods block.
    private var blocked: Set<ObjectIdentifier> = []

    /// The milliseconds between two checks.
    private static let pause: Int32 = 500
    /// The numbers of checks after which a method is no longer treated as quick, and after which the connections on its
    /// loop are ended, because they might wait forever.
    private static let (slow, hopeless) = (2, 10)

    init(_ server: ControlServer, _ listener: ControlListener) {
        self.server = server
        self.listener = listener
    }

    /// Blocks until the server is being stopped.
    consuming func run() {
        var nextLook = Deadline.after(.zero)
        while !server.isStopping {
            listener.wait(server.connections.isEmpty ? -1 : ControlAcceptor.pause)
            TestDelays.pause()
            if !server.isStopping, let client = listener.accept() { serve(client) }
            guard nextLook.hasPassed else { continue }
            look()
            nextLook = .after(.milliseconds(Int(ControlAcceptor.pause)))
        }
        // Clients that still wait will not be served.
        while let client = listener.accept() { ForkGuard.close(client) }
    }

    private mutating func serve(_ client: Int32) {
        let loop = nextLoop()
        let connection = ControlConnection(server, client, on: loop)
        let peer = (try? PeerCredentials.of(client)) ?? PeerCredentials()
        let refusal = server.admit(connection, of: peer)
        ClientBootstrap(group: loop)
            .channelInitializer { channel in
                loop.makeCompletedFuture { try connection.serve(channel, refusing: refusal) }
            }
            .withConnectedSocket(client)
            .whenFailure { _ in connection.channelClosed() }
    }

    /// Returns the event loops in turn, skipping blocked ones unless all are blocked.
    private mutating func nextLoop() -> any EventLoop {
        for _ in loops {
            last = (last + 1) % loops.count
            if !blocked.contains(ObjectIdentifier(loops[last])) { break }
        }
        return loops[last]
    }

    private mutating func look() {
        let connections = server.connections
        blocked = []
        for connection in connections {
            guard let (call, looks) = connection.look(), looks >= ControlAcceptor.slow else { continue }
            blocked.insert(ObjectIdentifier(connection.loop))
            if looks == ControlAcceptor.slow {
                server.host.distrustQuickMethods(ofComponentOf: call.className)
                server.logger.warning(
                    """
                    \(call.selector) of \(call.className) is declared quick but has blocked an event loop for more \
                    than a second; from now on the methods of its component run on threads of the host
                    """)
            }
            guard looks >= ControlAcceptor.hopeless else { continue }
            let cut = connection.cutOff(with: connections.filter { $0.loop === connection.loop && $0 !== connection })
            for connection in cut { connection.channelClosed() }
        }
    }
}
