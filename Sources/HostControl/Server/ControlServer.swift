public import ComponentHost
import ComponentKit
public import Logging
import NIOCore
import NIOPosix

/// Lets other processes of the same user call the components of a host, over a Unix socket.
///
/// A frame is four bytes of length, the highest first, and one CBOR item of that length. A client sends requests, each
/// with an `id` of its own choice, and gets an answer with that id for each; several may be under way on one
/// connection. A client that goes away has its calls cancelled. Objects and closures do not travel.
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

    /// Serves clients until ``stop(grace:)``. To be called once.
    ///
    /// - Throws: when the socket cannot be served.
    public func run() async throws {
        let limits = limits
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup).bind(
            listener.descriptor
        ) { limits.makeChannel($0) }
        let listening = server.channel
        let mayServe = state.withLock { state in
            state.stopListening = { listening.close(promise: nil) }
            return !state.isStopping
        }
        if !mayServe { listening.close(promise: nil) }
        try await server.executeThenClose { clients in
            await withDiscardingTaskGroup { group in
                do {
                    for try await client in clients { group.addTask { await self.serve(client) } }
                } catch {
                    self.logger.error("the control socket is not served any more: \(error)")
                }
            }
        }
    }

    private func serve(_ channel: ControlChannel) async {
        let connection = ControlConnection(channel, self)
        let refusal: ControlError? = state.withLock { state in
            guard !state.isStopping else { return ControlError(.connectionLost, "the host is stopping") }
            guard state.connections.count < limits.connections else {
                return ControlError(
                    .tooMuch, "the host takes \(limits.connections) connections at a time; try again later")
            }
            state.connections[ObjectIdentifier(connection)] = connection
            return nil
        }
        await connection.run(refusing: refusal, logger)
        state.withLock { _ = $0.connections.removeValue(forKey: ObjectIdentifier(connection)) }
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
