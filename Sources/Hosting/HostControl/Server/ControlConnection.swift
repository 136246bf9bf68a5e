import ComponentHost
import ComponentKit
import Glibc
import HostContract
import Logging
import NIOCore
import NIOPosix
import SystemSupport

/// One client of a host: its requests in flight, and the answers that have not been written yet.
///
/// Requests are accepted on the channel's event loop; calls end on any thread.
final class ControlConnection: Sendable {
    let loop: any EventLoop
    private let descriptor: Int32
    private let server: ControlServer
    private let state = Lock(ConnectionState())
    /// Answers one query from this connection at a time, taking turns with other connections.
    private let questions = PoolShare(threadLimit: 1, takesTurns: true)

    /// - Parameter descriptor: the descriptor of the socket, which a channel on `loop` closes.
    init(_ server: ControlServer, _ descriptor: Int32, on loop: any EventLoop) {
        self.server = server
        self.descriptor = descriptor
        self.loop = loop
    }

    /// Serves the client of a channel. Call it on the event loop.
    ///
    /// - Parameter refusal: why the client is refused; nil if it is served.
    func serve(_ channel: any Channel, refusing refusal: ControlError?) throws {
        unsafe ThreadContext.current.state.pointee.servesAll = true
        let isClosing = state.withLock { state in
            state.channel = channel
            return state.isClosing
        }
        guard !isClosing else { throw ChannelError.ioOnClosedChannel }
        try ControlHandler(self, refusing: refusal).add(to: channel.pipeline.syncOperations, limits)
        try channel.syncOptions?.setOption(.writeBufferWaterMark, value: UnreadAnswers.waterMark)
    }

    /// Counts the bytes of an incomplete frame.
    ///
    /// - Returns: false if that would exceed the host's limit.
    func mayHold(unfinished bytes: Int) -> Bool {
        // Less than one piece counts as zero, so skip the lock.
        bytes < HeldBytes.piece || state.withLock { $0.hold(unfinished: bytes, server.held) }
    }

    var limits: ControlLimits { server.limits }

    var callsInFlight: Int { state.withLock { $0.requests.values.count { $0.call != nil } } }

    /// Whether every request has been answered and all answers have been written to the socket.
    var isIdle: Bool { state.withLock { $0.requests.isEmpty && $0.answers.bytes == 0 } }

    func close() {
        let channel = state.withLock { state in
            state.isClosing = true
            return state.channel
        }
        channel?.close(promise: nil)
    }

    /// Cancels all calls; they are still answered.
    ///
    /// - Returns: the number of calls.
    @discardableResult
    func cancelCalls() -> Int {
        let (begun, count) = state.withLock { state in
            for id in state.requests.keys { state.requests[id]?.isCancelled = true }
            return (state.requests.values.compactMap(\.begun), state.requests.values.count { $0.call != nil })
        }
        for call in begun { server.host.cancel(call) }
        return count
    }

    /// Called when the channel has closed, could not be set up, or was ended by the acceptor. Only the first call has
    /// an effect.
    func channelClosed() {
        let (isFirst, isEmpty) = state.withLock { state in
            let isFirst = !state.isOver
            state.isOver = true
            state.answers.end(server.unread)
            state.channel = nil
            _ = state.hold(server.held)
            return (isFirst, state.requests.isEmpty)
        }
        guard isFirst else { return }
        cancelCalls()
        if isEmpty { server.hasEnded(self) }
    }

    // MARK: Requests, on the event loop

    /// The threads that decode large requests from this connection.
    var readers: RequestReaders { server.readers }

    /// Counts a request that another thread is about to decode.
    ///
    /// - Returns: false if that would exceed the host's limit.
    func beginReading(_ size: Int) -> Bool { state.withLock { $0.hold(unfinished: 0, read: size, server.held) } }

    func endReading() { state.withLock { _ = $0.hold(read: 0, server.held) } }

    /// Executes a request. The answer is sent once it is available.
    func take(_ request: ControlRequest, size: Int) throws(RequestError) {
        switch request.kind {
        case .call(let call):
            let name = ConnectionState.CallName(className: call.className, selector: call.selector)
            // Check before the call is counted as begun, because a stop grants time to calls that have begun.
            guard !server.isStopping else {
                try add(request.id, size: size, call: nil)
                let error = LinkError(
                    .stopped, message: "the host is being stopped", className: name.className, selector: name.selector)
                finish(request.id, .error(error))
                return
            }
            try add(request.id, size: size, call: name)
            begin(call, request.id, isLarge: size >= ControlHandler.largeRequest)
        case .cancel:
            let call = state.withLock { state in
                state.requests[request.id]?.isCancelled = true
                return state.requests[request.id]?.begun
            }
            if let call { server.host.cancel(call) }
        case .list:
            try answer(request.id, size: size) { host in .value(HostContents(host, process: Int(getpid())).payload) }
        case .describe(let className):
            try answer(request.id, size: size) { host in
                let manifests = host.runningManifests.filter { manifest in
                    className.map { manifest.classDeclaration($0) != nil } ?? true
                }
                return .value(.array(manifests.map(\.json)))
            }
        case .rescan:
            try answer(request.id, size: size) { host in .value(.int(Int64(host.rescan().count))) }
        }
    }

    private func add(_ id: Int64, size: Int, call: ConnectionState.CallName?) throws(RequestError) {
        let limits = server.limits
        try state.withLock { state throws(RequestError) in
            guard state.requests[id] == nil else {
                throw RequestError(
                    id: id,
                    ControlError(.idInUse, "the id \(id) belongs to a request in flight; use another"))
            }
            guard state.requests.count < limits.calls, state.requestBytes + size <= limits.requestBytes else {
                throw RequestError(
                    id: id, ControlError(.tooMuch, "this connection's limit on requests is reached; wait for answers"))
            }
            guard state.add(size, to: server.held) else {
                throw RequestError(id: id, ControlError(.tooMuch, HeldBytes.tooMuch))
            }
            state.requests[id] = ConnectionState.Request(size: size, call: call, isCancelled: state.isOver)
            state.begin(id)
        }
    }

    private func begin(_ call: CallDescription, _ id: Int64, isLarge: Bool) {
        let target = CallTarget.named(className: call.className, selector: call.selector, call.kind)
        // It only encodes the outcome, and never blocks. For a quick method, that is on the event loop, also if the answer
        // is large: the method has made it there, and the host has copied it, which takes about as long. If all that takes
        // more than a second, the method is not treated as quick any longer. On another thread, the answer would not count
        // as unread until it is encoded, so that reading could not pause in time.
        let completion = CallCompletion.wakes { [self] outcome in
            let content: ControlAnswer.Content
            switch outcome {
            case .success(let value): content = .value(value)
            case .failure(let error):
                // The error of a call that was never begun has no names.
                let call = state.withLock { $0.requests[id]?.call }
                content = .error(
                    error.naming(className: call?.className ?? "", selector: call?.selector ?? "", component: ""))
            }
            // With the last reference to an object, code of its component runs, which may block.
            if !finish(id, content) { releaseElsewhere(content) }
        }
        let call = server.host.beginWithoutBlocking(
            target, call.payload, deadline: call.timeout.map(Deadline.after), isLarge: isLarge)
        TestDelays.pause()
        guard let begun = call.finish(completion) else { return }
        // Requests are read on this thread, so the id cannot have been reused meanwhile.
        let isCancelled = state.withLock { state in
            state.requests[id]?.begun = begun
            return state.requests[id]?.isCancelled ?? false
        }
        if isCancelled { server.host.cancel(begun) }
    }

    /// Lets what could not be sent end on another thread, if this one is an event loop.
    private func releaseElsewhere(_ content: ControlAnswer.Content) {
        guard let loop = MultiThreadedEventLoopGroup.currentEventLoop else { return }
        let kept = Lock(Optional(content))
        // Later, because the callers of this function have references, too.
        loop.execute { [server] in server.releasers.submit { _ = kept.withLock { $0.take() } } }
    }

    /// Answers a query about the host on another thread, because that takes too long for an event loop.
    private func answer(
        _ id: Int64, size: Int, with body: @escaping @Sendable (LinkHost) -> ControlAnswer.Content
    ) throws(RequestError) {
        try add(id, size: size, call: nil)
        questions.submit({ [self] in finish(id, body(server.host)) }, to: server.answerers)
    }

    // MARK: Answers, on any thread unless noted

    /// Sends the answer to a request. The id is free before the client can see the answer.
    ///
    /// - Returns: Whether the whole answer can be sent.
    @discardableResult
    private func finish(_ id: Int64, _ content: ControlAnswer.Content) -> Bool {
        let (frame, isWhole) = frame(ControlAnswer(id: id, content))
        // Remove and enqueue under one lock: in between, the connection would look idle and might be closed.
        let (isLast, next) = state.withLock { state in
            guard let request = state.requests.removeValue(forKey: id) else {
                return (false, UnreadAnswers.Next.nothing)
            }
            state.remove(request.size, from: server.held)
            return (
                state.isOver && state.requests.isEmpty,
                state.answers.add(frame, under: server.limits, in: server.unread)
            )
        }
        TestDelays.pause()
        if isLast { server.hasEnded(self) }
        go(on: next)
        return isWhole
    }

    /// Sends an answer about the connection, or to a request that is not in flight.
    func send(_ answer: ControlAnswer) {
        let (frame, _) = frame(answer)
        go(on: state.withLock { $0.answers.add(frame, under: server.limits, in: server.unread) })
    }

    private func frame(_ answer: ControlAnswer) -> (bytes: ByteBuffer, isWhole: Bool) {
        let (bytes, isWhole) = answer.encoded(limit: server.limits.frameBytes)
        return (FrameDecoder.frame(bytes), isWhole)
    }

    /// Returns the frame with which the host closes the connection.
    private func lastWords(_ code: ControlError.Code, _ reason: String) -> ByteBuffer {
        let error = ControlError(code, "the host closed the connection, because \(reason)")
        return frame(ControlAnswer(id: nil, .refusal(error))).bytes
    }

    private func go(on next: UnreadAnswers.Next) {
        switch next {
        case .nothing: break
        case .drain: loop.execute { self.drain() }
        case .tooMuch: giveUp("\(server.limits.unreadBytes) bytes of answers on one connection")
        case .makeRoom(let frame):
            let stalled = server.connections.compactMap { other in other.stalledSince.map { (other, $0) } }
            let victim = stalled.min { $0.1 < $1.1 }?.0 ?? self
            victim.giveUp("\(server.limits.totalUnreadBytes) bytes of answers on all connections")
            // Ends: each time one connection fewer has unread answers, and this one accepts nothing once it is given up.
            go(on: state.withLock { $0.answers.add(frame, under: server.limits, in: server.unread, isRetry: true) })
        }
    }

    /// When this connection last made progress, if it has unread answers that count; nil if not.
    var stalledSince: ContinuousClock.Instant? { state.withLock { $0.answers.stalledSince } }

    /// Discards the answers of a client that does not read them, and ends the connection.
    ///
    /// - Parameter limit: the limit that would be exceeded.
    private func giveUp(_ limit: String) {
        let words = lastWords(
            .tooMuch,
            "the client did not read its answers and the limit of \(limit) was reached; read answers while requests "
                + "are in flight")
        guard let size = state.withLock({ $0.answers.giveUp(words, server.unread) }) else { return }
        loop.execute { [self] in
            // Without a channel, the connection has ended meanwhile.
            guard let channel = state.withLock({ $0.channel }) else { return }
            let peer = (try? PeerCredentials.of(descriptor)) ?? PeerCredentials()
            server.logger.warning(
                "the control socket ended the connection of a client that did not read its answers",
                metadata: ["process": "\(peer.process)", "bytes": "\(size)", "limit": "\(limit)"])
            drain()
            channel.pipeline.fireUserInboundEventTriggered(Signal.end)
        }
    }

    /// What the connection tells its handler, on the event loop.
    enum Signal {
        /// The client has read answers, so that requests may be read again.
        case resume
        /// The connection ends, and what is still to be sent has been written.
        case end
    }

    /// Returns whether so many answers are unread that no requests are to be read until ``Signal/resume``.
    func mustPause() -> Bool {
        state.withLock { $0.answers.mustPause(inFlight: $0.expectedBytes, under: server.limits) }
    }

    /// Collects answers until ``drain()``. Call it on the event loop.
    func beginBurst() { state.withLock { $0.answers.willDrain = true } }

    /// Writes the collected answers, as far as the client reads them. Call it on the event loop.
    ///
    /// - Parameter isLast: whether all are written, because the connection ends.
    func drain(isLast: Bool = false) {
        let channel = state.withLock { state in
            state.answers.willDrain = false
            return state.channel
        }
        guard let channel else { return }
        var hasWritten = false
        while let piece = state.withLock({ $0.answers.next(always: isLast || channel.isWritable) }) {
            let written = loop.makePromise(of: Void.self)
            written.futureResult.whenComplete { [self] _ in hasWrittenPiece(piece.size) }
            channel.write(piece.bytes, promise: written)
            hasWritten = true
        }
        if hasWritten { channel.flush() }
    }

    private func hasWrittenPiece(_ size: Int) {
        let (channel, isFree) = state.withLock { state in
            let isFree = state.answers.hasWritten(
                size, inFlight: state.expectedBytes, under: server.limits, in: server.unread)
            return (state.channel, isFree)
        }
        guard isFree, let channel else { return }
        // Later, because this may be within a write.
        loop.execute { channel.pipeline.fireUserInboundEventTriggered(Signal.resume) }
    }

    // MARK: Detecting methods that block the event loop, on the accepting thread

    /// Returns the method that occupies the event loop, and how many earlier checks have found the same call being
    /// started; nil if none is.
    func look() -> (ConnectionState.CallName, Int)? {
        let found = state.withLock { state in state.startedCall.map { ($0, state.thread, state.look()) } }
        return found.map { call, thread, looks in (culprit(of: call, on: thread), looks) }
    }

    /// Returns the method that is to blame if a call does not return: the innermost quick one, since a method may call
    /// others, or post an event whose handler blocks.
    private func culprit(of call: ConnectionState.CallName, on thread: ThreadContext?) -> ConnectionState.CallName {
        let method = thread.flatMap { server.host.innermostQuickMethod(on: $0) }
        return method.map { ConnectionState.CallName(className: $0.className, selector: $0.selector) } ?? call
    }

    /// Ends this connection, whose call blocks the event loop, and others on that loop, which the loop cannot close.
    ///
    /// - Returns: the connections that were ended; none if the loop is no longer blocked.
    func cutOff(with others: [ControlConnection]) -> [ControlConnection] {
        let found = state.withLock { state in state.startedCall.map { ($0, state.thread) } }
        guard let found else { return [] }
        let call = culprit(of: found.0, on: found.1)
        return state.withLock { state in
            guard state.startedCall != nil else { return [] }
            let words = lastWords(
                .connectionLost,
                "\(call.selector) of \(call.className), which is declared quick, blocks its event loop; connect again")
            state.cut(words, descriptor)
            for other in others { other.state.withLock { $0.cut(words, other.descriptor) } }
            return others + [self]
        }
    }
}
