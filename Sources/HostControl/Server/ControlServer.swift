public import ComponentHost
import ComponentKit
public import Logging
import NIOCore
import NIOPosix

/// Lets other processes of the same user call the components of a host, over a Unix socket.
///
/// A frame is four bytes of length, the highest first, and one CBOR item of that length. A client sends requests, each
/// with an `id` of its own choice, and gets an answer with that id for each, in the order in which they end; several may
/// be under way on one connection. An id is free again as soon as its answer can be read. A request with the id of one
/// that is under way is refused with the code `idInUse` and not carried out, and the one that is under way goes on. Two
/// answers come with that id then: `idInUse` is always about the later request, whichever answer comes first, and says
/// nothing about the other. A client that keeps its ids apart never sees it. A client that goes away has its calls
/// cancelled. Objects and closures do not travel.
///
///     let server = try ControlServer(host, socket: "/run/user/1000/hslink.sock", logger: logger)
///     try await server.run()          // until somebody calls server.stop(grace:)
public final class ControlServer: Sendable {
    /// Where it listens.
    public var socket: String { listener.path.text }

    let host: LinkHost
    let limits: ControlLimits
    private let logger: Logger
    private let listener: ControlListener
    private let state = Lock(State())

    private struct State {
        var isStopping = false
        var cancelledCalls = 0
        var connections: [ObjectIdentifier: ControlConnection] = [:]
        /// Closes the listening socket.
        var stopListening: (@Sendable () -> Void)?
    }

    /// Makes the socket, readable and writable by its owner alone. Connections wait until ``run()``.
    ///
    /// The socket of a host that has ended is replaced.
    ///
    /// - Parameters:
    ///   - host: carries out the calls; is not stopped by this.
    ///   - socket: a path of at most 107 bytes, in a directory that is there.
    ///   - limits: how much is taken.
    ///   - logger: is told of clients that are refused.
    /// - Throws: ``ControlError/Code/inUse`` when another host listens there, or why there cannot be a socket.
    public init(
        _ host: LinkHost, socket: String, limits: ControlLimits = ControlLimits(), logger: Logger
    ) throws(ControlError) {
        self.host = host
        self.limits = limits
        self.logger = logger
        listener = try ControlListener(SocketPath(socket))
    }

    deinit { listener.remove() }

    /// Serves clients until ``stop(grace:)``, or until the task is cancelled. To be called once.
    ///
    /// - Throws: when the socket cannot be served.
    public func run() async throws {
        let listening = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                PeerCredentials.of(channel).flatMapThrowing { peer in try self.serve(channel, peer) }
            }
            .withBoundSocket(listener.descriptor).get()
        let mayServe = state.withLock { state in
            state.stopListening = { listening.close(promise: nil) }
            return !state.isStopping
        }
        if !mayServe { listening.close(promise: nil) }
        await withTaskCancellationHandler {
            // Errors mean that it is closed, which is what is waited for.
            try? await listening.closeFuture.get()
            while let connection = state.withLock({ $0.connections.values.first }) {
                try? await connection.ended.get()
            }
        } onCancel: {
            listening.close(promise: nil)
            for connection in state.withLock({ Array($0.connections.values) }) { connection.close() }
        }
    }

    /// Makes a channel to one of a client. On its event loop.
    private func serve(_ channel: any Channel, _ peer: PeerCredentials) throws {
        let connection = ControlConnection(channel, self)
        let refusal = refusal(of: peer) ?? admit(connection)
        do {
            try channel.pipeline.syncOperations.addHandlers(
                ByteToMessageHandler(FrameDecoder(limit: limits.frameBytes)),
                ControlHandler(connection, refusing: refusal))
        } catch {
            // It is closed already: nobody else says so.
            connection.channelClosed()
            throw error
        }
    }

    private func refusal(of peer: PeerCredentials) -> ControlError? {
        guard !peer.isAllowedToCall else { return nil }
        logger.warning(
            "a client of another user was refused at the control socket",
            metadata: ["user": "\(peer.user)", "process": "\(peer.process)"])
        return ControlError(.notAllowed, "the host takes calls of its own user and of root alone")
    }

    /// - Returns: why the client is not served; nil when it is one of the connections now.
    private func admit(_ connection: ControlConnection) -> ControlError? {
        let key = ObjectIdentifier(connection)
        let refusal: ControlError? = state.withLock { state in
            guard !state.isStopping else { return ControlError(.connectionLost, "the host is stopping") }
            guard state.connections.count < limits.connections else {
                return ControlError(
                    .tooMuch, "the host takes \(limits.connections) connections at a time; try again later")
            }
            state.connections[key] = connection
            return nil
        }
        if refusal == nil {
            // Before anybody who waits for the end goes on.
            connection.ended.whenComplete { [self] _ in
                state.withLock { _ = $0.connections.removeValue(forKey: key) }
            }
        }
        return refusal
    }

    /// Refuses new connections and calls, and takes the socket away; ends calls that are under way as cancelled when
    /// their time is up, and then all connections.
    ///
    /// - Parameter grace: how long calls that have begun may take.
    public func stop(grace: Duration) async {
        let stopListening = state.withLock { state in
            state.isStopping = true
            return state.stopListening
        }
        listener.remove()
        stopListening?()
        let connections = state.withLock { Array($0.connections.values) }
        await wait(.after(grace)) { connections.allSatisfy(\.isIdle) }
        let cancelled = connections.reduce(0) { $0 + $1.cancelCalls() }
        state.withLock { $0.cancelledCalls += cancelled }
        // Their answers go out.
        await wait(.after(.seconds(1))) { connections.allSatisfy(\.isIdle) }
        for connection in connections { connection.close() }
    }

    private func wait(_ deadline: Deadline, _ isOver: () -> Bool) async {
        while !isOver(), !deadline.hasPassed { try? await Task.sleep(for: .milliseconds(5)) }
    }

    /// How many calls were ended by ``stop(grace:)`` before their time. Final when ``run()`` has returned.
    public var cancelledCalls: Int { state.withLock { $0.cancelledCalls } }

    /// Whether calls are refused.
    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Calls of clients that have begun and not been answered.
    public var callsInFlight: Int {
        state.withLock { Array($0.connections.values) }.reduce(0) { $0 + $1.callsInFlight }
    }
}
