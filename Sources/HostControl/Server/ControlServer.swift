public import ComponentHost
import ComponentKit
import Glibc
public import Logging
import SystemSupport

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
    let logger: Logger
    let readers = RequestReaders()
    /// Answers questions about the host, on threads of its own as well.
    let answerers = WorkerPool(name: "hslink-answer", threadLimit: 2)
    let held: HeldBytes
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
        held = HeldBytes(limit: limits.totalRequestBytes)
        listener = try ControlListener(SocketPath(socket))
    }

    deinit {
        listener.remove()
        answerers.end()
    }

    /// Serves clients until ``stop(grace:)``, or until the task is cancelled. To be called once.
    ///
    /// - Throws: when the socket cannot be served.
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

    /// A connection is closed, and all its calls have ended.
    func hasEnded(_ connection: ControlConnection) {
        state.withLock { _ = $0.connections.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    /// Those that are served.
    var connections: [ControlConnection] { state.withLock { Array($0.connections.values) } }

    /// Refuses new connections and calls, and takes the socket away; ends calls that are under way as cancelled when
    /// their time is up, and then all connections.
    ///
    /// - Parameter grace: how long calls that have begun may take.
    public func stop(grace: Duration) async {
        await awaitResume { resume in
            let stop: @Sendable () -> Void = { [self] in
                end(grace: grace)
                resume(())
            }
            if !startThread(named: "hslink-stop", stop) { stop() }
        }
    }

    /// Blocks for at most the grace and a moment: nothing here waits for an event loop, which a method may keep.
    private func end(grace: Duration) {
        state.withLock { $0.isStopping = true }
        listener.remove()
        listener.end()
        let connections = connections
        wait(grace) { connections.allSatisfy(\.isIdle) }
        let cancelled = connections.reduce(0) { $0 + $1.cancelCalls() }
        state.withLock { $0.cancelledCalls += cancelled }
        // Their answers go out.
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

    /// How many calls were ended by ``stop(grace:)`` before their time. Final when ``run()`` has returned.
    public var cancelledCalls: Int { state.withLock { $0.cancelledCalls } }

    /// Whether calls are refused.
    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Calls of clients that have begun and not been answered.
    public var callsInFlight: Int {
        connections.reduce(0) { $0 + $1.callsInFlight }
    }
}
