package import ComponentHost
public import ComponentKit
public import HostContract
import NIOCore
import NIOPosix

/// A client of the ``ControlServer`` of a host in another process.
///
///     let listing = try await ControlClient.connected(to: "/run/user/1000/hslink.sock") { host in
///         try await host.list()
///     }
///
/// All functions may be called from any task and concurrently.
public final class ControlClient: Sendable {
    private let requests: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private let limits: ControlLimits
    private let answers = AwaitedAnswers()

    private init(_ requests: NIOAsyncChannelOutboundWriter<ByteBuffer>, _ limits: ControlLimits) {
        self.requests = requests
        self.limits = limits
    }

    /// The outcome of a call.
    public enum Outcome: Sendable {
        /// The call was performed.
        case returned(Payload)
        /// The call failed.
        case failed(LinkError)
        /// The call was performed, but its result cannot be sent to another process.
        case notSendable(PayloadError)
    }

    /// Connects to a host and calls `body`. The connection is closed afterwards, and calls in flight are cancelled.
    ///
    /// - Parameters:
    ///   - socket: the path of the host's socket.
    ///   - limits: the limits for messages.
    ///   - body: receives the client.
    /// - Throws: ``ControlError`` if no host can be reached, or any error that `body` throws.
    public static func connected<Result: Sendable>(
        to socket: String, limits: ControlLimits = ControlLimits(),
        body: @Sendable (ControlClient) async throws -> Result
    ) async throws -> Result {
        let descriptor = try await connect(try SocketPath(socket))
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .withConnectedSocket(descriptor) { limits.makeChannel($0) }
        return try await channel.executeThenClose { frames, requests in
            let client = ControlClient(requests, limits)
            // Cancelled when `body` has returned.
            async let _: Void = client.answers.read(frames)
            return try await body(client)
        }
    }

    /// Retries for up to ten seconds while the host is busy with other clients.
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

    /// Calls a selector in the host. Cancelling the task cancels the call in the host.
    ///
    /// - Throws: ``ControlError`` if the request could not be sent, was refused, or was not answered.
    public func call(_ call: CallDescription) async throws(ControlError) -> Outcome {
        switch try await answer(.call(call)) {
        case .value(let value): return .returned(value)
        case .error(let error): return .failed(error)
        case .notSendable(let error): return .notSendable(error)
        case .refusal(let error): throw error
        }
    }

    /// Returns the contents of the host.
    ///
    /// - Throws: ``ControlError`` if the request could not be sent, was refused, or was not answered.
    public func list() async throws(ControlError) -> HostContents {
        let value = try await value(.list)
        do throws(PayloadError) {
            return try value.value(as: HostContents.self)
        } catch {
            throw ControlError(.malformed, "the host's listing cannot be understood: \(error)")
        }
    }

    /// Makes the host rescan its directories. Returns when the rescan is complete.
    ///
    /// - Throws: ``ControlError`` if the request could not be sent, was refused, or was not answered; with the code
    ///   ``ControlError/Code/unknownRequest`` if the host is older than this client.
    public func rescan() async throws(ControlError) { _ = try await value(.rescan) }

    /// Returns the catalog of everything that can be called in the host, from the manifests of its components.
    ///
    /// - Parameters:
    ///   - className: restricts the catalog to components that declare this class; nil for all. A host that is older
    ///     than this client ignores it.
    ///   - limit: the time limit for the call that needs the catalog; nil for none.
    /// - Throws: ``ControlError`` if the request could not be sent, was refused, or was not answered.
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
        case .error, .notSendable: throw ControlError(.malformed, "the host answered a query as if it were a call")
        }
    }

    private func answer(
        _ kind: ControlRequest.Kind, within shorter: Duration? = nil
    ) async throws(ControlError) -> ControlAnswer.Content {
        let id = try answers.expect()
        var limit = [ControlClient.patience(with: kind), shorter].compactMap(\.self).min()
        var late = AwaitedAnswers.late
        do throws(ControlError) {
            try await send(ControlRequest(id: id, kind))
        } catch {
            guard error.code == .connectionLost else {
                answers.forget(id)
                throw error
            }
            // An answer that the host sent before it closed the connection may still be unread.
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

    /// Returns how long the host may take to answer. A call may take its own timeout plus some time for transport.
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
                .tooMuch, "the request has \(bytes.count) bytes, but at most \(limits.frameBytes) can be sent")
        }
        // Write in a separate task, so that cancelling this one cannot cut the frame short.
        let isSent = await Task { (try? await requests.write(FrameDecoder.frame(bytes))) != nil }.value
        guard isSent else { throw AwaitedAnswers.lost }
    }
}
