import ComponentHost
import ComponentKit
import Glibc
import Logging
import NIOCore
import NIOPosix

/// Takes clients in, on a thread of its own, and gives each to an event loop. Methods that say they are quick run on event
/// loops; this notices when one keeps its loop all the same.
struct ControlAcceptor {
    private let server: ControlServer
    private let listener: ControlListener
    private let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
    private var last = 0
    /// Loops that methods keep.
    private var blocked: Set<ObjectIdentifier> = []

    /// Milliseconds between two looks.
    private static let pause: Int32 = 500
    /// Looks after which a method is not taken as quick any more, and after which its loop's connections are cut off: they
    /// would wait without end.
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
            if !server.isStopping, let client = listener.accept() { serve(client) }
            guard nextLook.hasPassed else { continue }
            look()
            nextLook = .after(.milliseconds(Int(ControlAcceptor.pause)))
        }
        // Nobody serves those that still wait.
        while let client = listener.accept() { close(client) }
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

    /// One after the other, but for those that methods keep, while there are others.
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
                    \(call.selector) of \(call.className) is declared quick, and has kept an event loop for more than a \
                    second; from now on the methods of its component run on threads of the host
                    """)
            }
            guard looks >= ControlAcceptor.hopeless else { continue }
            let cut = connection.cutOff(with: connections.filter { $0.loop === connection.loop && $0 !== connection })
            for connection in cut { connection.channelClosed() }
        }
    }
}
