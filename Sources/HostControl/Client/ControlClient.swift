package import ComponentHost
public import ComponentKit
import NIOCore
import NIOPosix

/// Talks to the ``ControlServer`` of a host in another process.
///
///     let listing = try await ControlClient.connected(to: "/run/user/1000/hslink.sock") { host in
///         try await host.list()
///     }
///
/// All functions may be called from any task, and several at once.
public final class ControlClient: Sendable {
    private let requests: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private let limits: ControlLimits
    private let answers = AwaitedAnswers()

    private init(_ requests: NIOAsyncChannelOutboundWriter<ByteBuffer>, _ limits: ControlLimits) {
        self.requests = requests
        self.limits = limits
    }

    /// How a call has ended.
    public enum Outcome: Sendable {
        /// It was performed.
        case returned(Payload)
        /// It was not performed, for this reason.
        case failed(LinkError)
        /// It was performed, but what came back cannot leave the host's process.
        case notSendable(PayloadError)
    }

    /// Calls `body` with a connection, which ends afterwards with all that is under way.
    ///
    /// - Parameters:
    ///   - socket: the path of the host's socket.
    ///   - limits: how much is taken.
    ///   - body: what to do with the host.
    /// - Throws: a ``ControlError`` that says why there is nobody to talk to, or what `body` throws.
    public static func connected<Result: Sendable>(
        to socket: String, limits: ControlLimits = ControlLimits(),
        body: @Sendable (ControlClient) async throws -> Result
    ) async throws -> Result {
        let descriptor = try await connect(try SocketPath(socket))
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .withConnectedSocket(descriptor) { limits.makeChannel($0) }
        return try await channel.executeThenClose { frames, requests in
            let client = ControlClient(requests, limits)
            // Cancelled when `body` is over.
            async let _: Void = client.answers.read(frames)
            return try await body(client)
        }
    }

    /// Waits while others have the host's attention, but not for ever.
    private static func connect(_ path: SocketPath) async throws -> Int32 {
        let deadline = Deadline.after(.seconds(10))
        while true {
            do throws(ControlError) {
                return try path.connect()
            } catch {
                guard error.code == .tooMuch, !deadline.hasPassed else { throw error }
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Calls a selector in the host. Cancelling the task cancels the call there.
    ///
    /// - Throws: why it was not asked, or nothing was answered.
    public func call(_ call: CallDescription) async throws(ControlError) -> Outcome {
        switch try await answer(.call(call)) {
        case .value(let value): return .returned(value)
        case .error(let error): return .failed(error)
        case .notSendable(let error): return .notSendable(error)
        case .refusal(let error): throw error
        }
    }

    /// What the host has.
    ///
    /// - Throws: why it was not asked, or nothing was answered.
    public func list() async throws(ControlError) -> HostListing {
        let value = try await value(.list)
        do throws(PayloadError) {
            return try value.value(as: HostListing.self)
        } catch {
            throw ControlError(.malformed, "the host's listing cannot be understood: \(error)")
        }
    }

    /// Lets the host look through its directories again; it has done so afterwards.
    ///
    /// - Throws: why it was not asked, or nothing was answered; a host of an earlier version does not know the request.
    public func rescan() async throws(ControlError) { _ = try await value(.rescan) }

    /// What can be called in the host, from the manifests of its components.
    ///
    /// - Parameters:
    ///   - className: a class that is asked about alone; nil for all there is. A host of an earlier version answers with all.
    ///   - limit: of the call that this is asked for; nil for none.
    /// - Throws: why it was not asked, or nothing was answered.
    package func catalog(
        ofClass className: String? = nil, within limit: Duration? = nil
    ) async throws(ControlError) -> Catalog {
        let value = try await value(
            .describe(className: className), within: limit.map(ControlClient.withWay))
        do throws(PayloadError) {
            var candidates: [Catalog.Candidate] = []
            for manifest in try value.items() { candidates.append(Catalog.Candidate(manifest: try Manifest(manifest))) }
            return Catalog(candidates)
        } catch {
            throw ControlError(.malformed, "the host's manifests cannot be understood: \(error)")
        }
    }

    private func value(
        _ kind: ControlRequest.Kind, within limit: Duration? = nil
    ) async throws(ControlError) -> Payload {
        switch try await answer(kind, within: limit) {
        case .value(let value): return value
        case .refusal(let error): throw error
        case .error, .notSendable: throw ControlError(.malformed, "the host answered a question as if it was a call")
        }
    }

    private func answer(
        _ kind: ControlRequest.Kind, within shorter: Duration? = nil
    ) async throws(ControlError) -> ControlAnswer.Content {
        let id = answers.expect()
        var limit = [ControlClient.patience(with: kind), shorter].compactMap(\.self).min()
        var late = AwaitedAnswers.late
        do throws(ControlError) {
            try await send(ControlRequest(id: id, kind))
        } catch {
            guard error.code == .connectionLost else {
                answers.forget(id)
                throw error
            }
            // What the host has said before it closed the connection may still have to be read.
            (limit, late) = (.seconds(2), error)
        }
        let expiry = limit.map { [late] limit in
            Task { if (try? await Task.sleep(for: limit)) != nil { answers.expire(id, late) } }
        }
        defer { expiry?.cancel() }
        return try await withTaskCancellationHandler {
            await answers.wait(for: id)
        } onCancel: {
            Task { try? await self.send(ControlRequest(id: id, .cancel)) }
        }.get()
    }

    /// How long a host may take to answer: a call as long as its own limit says, with some time for the way.
    private static func patience(with kind: ControlRequest.Kind) -> Duration? {
        switch kind {
        case .call(let call): call.timeout.map(withWay)
        case .cancel: nil
        case .list, .describe, .rescan: .seconds(30)
        }
    }

    private static func withWay(_ limit: Duration) -> Duration { limit + .seconds(2) }

    private func send(_ request: ControlRequest) async throws(ControlError) {
        let bytes: [UInt8]
        do throws(PayloadError) {
            bytes = try request.payload.cbor(limits: .message)
        } catch {
            throw ControlError(.malformed, "the payload cannot be sent to another process: \(error)")
        }
        guard bytes.count <= limits.frameBytes else {
            throw ControlError(
                .tooMuch, "the request has \(bytes.count) bytes, at most \(limits.frameBytes) can be sent")
        }
        // Whole, also where this task is cancelled meanwhile.
        let isSent = await Task { (try? await requests.write(FrameDecoder.frame(bytes))) != nil }.value
        guard isSent else { throw AwaitedAnswers.lost }
    }
}
