import ComponentHost
import ComponentKit
import Glibc
import Logging
import NIOCore

/// One client of a host.
final class ControlConnection: Sendable {
    let channel: ControlChannel
    let server: ControlServer
    let calls = Lock(CallsInFlight())

    /// What is under way.
    struct CallsInFlight {
        var tasks: [Int64: Task<Void, Never>] = [:]
        var requestBytes = 0
        /// Of answers that have not been taken.
        var unreadBytes = 0
        /// No more calls are begun.
        var isOver = false
    }

    init(_ channel: ControlChannel, _ server: ControlServer) {
        self.channel = channel
        self.server = server
    }

    var callsInFlight: Int { calls.withLock { $0.tasks.count } }

    /// Whether everything has been answered.
    var isIdle: Bool { callsInFlight == 0 }

    /// Ends all calls as cancelled; they are still answered.
    ///
    /// - Returns: how many.
    @discardableResult
    func cancelCalls() -> Int {
        let tasks = calls.withLock { Array($0.tasks.values) }
        for task in tasks { task.cancel() }
        return tasks.count
    }

    func close() { channel.channel.close(promise: nil) }

    /// Serves the client until it goes away, or is refused.
    ///
    /// - Parameter refusal: why it is not served at all.
    func run(refusing refusal: ControlError?, _ logger: Logger) async {
        // Also where nobody reads just now, since answers are not taken.
        channel.channel.closeFuture.whenComplete { [weak self] _ in self?.endCalls() }
        // Errors mean that it is gone, which is said by nothing else either.
        try? await channel.executeThenClose { frames, _ in
            var refusal = refusal
            if refusal == nil { refusal = try await self.refusalOfPeer(logger) }
            if let refusal {
                return try await self.send(ControlAnswer(id: nil, .refusal(refusal)))
            }
            for try await frame in frames {
                guard try await self.handle(frame) else { return }
            }
        }
        endCalls()
        for task in calls.withLock({ Array($0.tasks.values) }) { await task.value }
    }

    private func endCalls() {
        calls.withLock { $0.isOver = true }
        cancelCalls()
    }

    private func refusalOfPeer(_ logger: Logger) async throws -> ControlError? {
        let peer = try await PeerCredentials.of(channel.channel)
        guard !peer.isAllowed else { return nil }
        logger.warning(
            "a client of another user was refused at the control socket",
            metadata: ["user": "\(peer.user)", "process": "\(peer.process)"])
        return ControlError(.notAllowed, "the host takes calls of its own user and of root alone")
    }

    /// - Returns: false when nothing that follows can be understood.
    private func handle(_ frame: Frame) async throws -> Bool {
        let answer: ControlAnswer?
        do throws(RequestError) {
            answer = try take(frame)
        } catch {
            try await send(ControlAnswer(id: error.id, .refusal(error.error)))
            return error.id != nil
        }
        if let answer { try await send(answer) }
        return true
    }

    /// - Returns: the answer, where there is one at once.
    private func take(_ frame: Frame) throws(RequestError) -> ControlAnswer? {
        let (request, size) = try read(frame)
        switch request.kind {
        case .call(let call):
            try begin(call, request.id, size)
            return nil
        case .cancel:
            calls.withLock { $0.tasks[request.id] }?.cancel()
            return nil
        case .list:
            return ControlAnswer(id: request.id, .value(HostListing(server.host, process: Int(getpid())).payload))
        case .describe:
            return ControlAnswer(id: request.id, .value(.array(server.host.runningManifests.map(\.json))))
        }
    }

    private func read(_ frame: Frame) throws(RequestError) -> (ControlRequest, Int) {
        switch frame {
        case .malformed(let reason): throw RequestError(id: nil, ControlError(.malformed, reason))
        case .content(let content):
            let payload: Payload
            do throws(PayloadError) {
                payload = try Payload(cbor: Array(content.readableBytesView))
            } catch {
                throw RequestError(id: nil, ControlError(.malformed, "a frame is not one CBOR item: \(error)"))
            }
            return (try ControlRequest(payload), content.readableBytes)
        }
    }
}
