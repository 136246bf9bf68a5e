public import ComponentHost
import ComponentKit
import Glibc
public import Logging
import SystemSupport

/// Lets other processes of the same user, and of root, call the components of a host over a Unix socket.
///
/// A frame is a four-byte big-endian length and one CBOR item of that length. A client sends requests, each with an
/// `id` of its choice, and receives one answer with that id for each, in the order in which the requests end. Several
/// requests may be in flight on one connection. An id may be reused as soon as its answer has arrived.
///
/// A request with the id of one in flight is refused with the code `idInUse`, and the one in flight continues. The
/// client then receives two answers with that id, in either order; `idInUse` always refers to the later request. A
/// client that uses distinct ids never sees this code.
///
/// If a client disconnects, its calls are cancelled. Objects and closures cannot be sent.
///
///     let server = try ControlServer(host, socket: "/run/user/1000/hslink.sock", logger: logger)
///     try await server.run()          // returns after server.stop(grace:)
public final class ControlServer: Sendable {
    /// The absolute path of the socket.
    public var socket: String { listener.path }

    let host: LinkHost
    let limits: ControlLimits
    let logger: Logger
    let readers = RequestReaders()
    /// The threads that answer queries about the host.
    let answerers = WorkerPool(name: "hslink-answer", threadLimit: 2)
    /// The thread that releases objects that could not be sent. One that hangs holds up only others.
    let releasers = WorkerPool(name: "hslink-release", threadLimit: 1)
    /// The bytes of requests.
    let held: HeldBytes
    /// The bytes of answers that clients have not read.
    let unread: HeldBytes
    private let listener: ControlListener
    let state = Lock(State())

    struct State {
        var isStopping = false
        var isOver = false
        var cancelledCalls = 0
        var connections: [ObjectIdentifier: ControlConnection] = [:]
        /// Lets ``run()`` return.
        var whenOver: (@Sendable () -> Void)?
    }

    /// Creates the socket, readable and writable only by its owner. Connections wait until ``run()``.
    ///
    /// The socket of a host that has ended is replaced.
    ///
    /// - Parameters:
    ///   - host: the host that executes the calls; the server does not stop it.
    ///   - socket: a path of at most 107 bytes in an existing directory.
    ///   - limits: the limits for clients.
    ///   - logger: receives warnings about refused clients and methods that block.
    /// - Throws: ``ControlError`` with the code ``ControlError/Code/inUse`` if another host listens there, or with
    ///   another code if the socket cannot be created.
    public init(
        _ host: LinkHost, socket: String, limits: ControlLimits = ControlLimits(), logger: Logger
    ) throws(ControlError) {
        self.host = host
        self.limits = limits
        self.logger = logger
        held = HeldBytes(limit: limits.totalRequestBytes)
        unread = HeldBytes(limit: limits.totalUnreadBytes)
        listener = try ControlListener(SocketPath(socket))
    }

    deinit {
        listener.remove()
        answerers.end()
        releasers.end()
    }

    /// Serves clients until ``stop(grace:)`` is called or the task is cancelled. Call it once.
    ///
    /// - Throws: ``ControlError`` if no thread can be started to serve the socket.
    public func run() async throws {
        guard !isStopping else { return }
        let isServed = startThread(named: "hslink-control") { [self] in ControlAcceptor(self, listener).run() }
        guard isServed else { throw ControlError.system(EAGAIN, "the control socket \(socket) cannot be served") }
        await withTaskCancellationHandler {
            await awaitResume { resume in
                let isOver = state.withLock { state in
                    if !state.isOver { state.whenOver = { resume(()) } }
                    return state.isOver
                }
                if isOver { resume(()) }
            }
        } onCancel: {
            startThread(named: "hslink-stop") { [self] in end(grace: .zero) }
        }
    }

    /// Removes a connection that is closed and whose calls have all ended.
    func hasEnded(_ connection: ControlConnection) {
        state.withLock { _ = $0.connections.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    /// The connections that are served.
    var connections: [ControlConnection] { state.withLock { Array($0.connections.values) } }

    /// Refuses new connections and calls and removes the socket; cancels calls still in flight after `grace`, and then
    /// closes all connections.
    ///
    /// - Parameter grace: how long calls that have begun may still run.
    public func stop(grace: Duration) async {
        await awaitResume { resume in
            let stop: @Sendable () -> Void = { [self] in
                end(grace: grace)
                resume(())
            }
            if !startThread(named: "hslink-stop", stop) { stop() }
        }
    }

    /// Blocks for at most the grace period plus two seconds. Does not wait for event loops, which methods may block.
    private func end(grace: Duration) {
        state.withLock { $0.isStopping = true }
        listener.remove()
        listener.end()
        let connections = connections
        wait(grace) { connections.allSatisfy(\.isIdle) }
        let cancelled = connections.reduce(0) { $0 + $1.cancelCalls() }
        state.withLock { $0.cancelledCalls += cancelled }
        // Leave time for the answers to be written.
        wait(.seconds(1)) { connections.allSatisfy(\.isIdle) }
        for connection in connections { connection.close() }
        wait(.seconds(1)) { self.connections.isEmpty }
        let resume = state.withLock { state in
            state.isOver = true
            return state.whenOver.take()
        }
        resume?()
    }

    private func wait(_ time: Duration, _ isOver: () -> Bool) {
        let deadline = Deadline.after(time)
        while !isOver(), !deadline.hasPassed { usleep(5000) }
    }

    /// The number of calls that were cancelled to stop the server. Final once ``run()`` has returned.
    public var cancelledCalls: Int { state.withLock { $0.cancelledCalls } }

    /// Whether new calls are refused.
    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// The number of clients' calls in flight.
    public var callsInFlight: Int {
        connections.reduce(0) { $0 + $1.callsInFlight }
    }
}
