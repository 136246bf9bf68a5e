import ComponentHost
import ComponentKit
import HostControl

/// Calls in a host that runs already. They are cancelled there when this process ends.
struct RemoteHost {
    let client: ControlClient
    let place: HostPlace

    /// Calls `body` with the host that listens at a socket.
    ///
    /// - Throws: a ``ControlError`` when there is none, or what `body` throws.
    static func connected<Result: Sendable>(
        to socket: String, body: @Sendable (RemoteHost) async throws -> Result
    ) async throws -> Result {
        do {
            return try await ControlClient.connected(to: socket) { client in
                try await body(RemoteHost(client: client, place: .socket(socket)))
            }
        } catch let error where error is UsageError || error is ControlError {
            throw error
        } catch {
            throw ControlError(.connectionLost, "the host cannot be talked to: \(error)")
        }
    }

    /// - Throws: when the host's manifest says that the call is not meant so.
    func perform(_ call: DeclaredCall) async throws(UsageError) -> CallReport {
        do {
            var catalog = try await catalog(for: call)
            let call = try call.description(in: catalog)
            var outcome = try await client.call(call)
            if case .failed(let error) = outcome {
                // For hints; one that has gone away meanwhile has answered all the same.
                if error.code == .classNotFound { catalog = (try? await client.catalog()) ?? .empty }
                outcome = .failed(error.naming(className: call.className, selector: call.selector, component: ""))
            }
            return CallReport(outcome, of: call, in: catalog, at: place)
        } catch let error as UsageError {
            throw error
        } catch let error as ControlError {
            // The connection ends with the task, and the call with it.
            guard Task.isCancelled else { return CallReport(notAsked: error) }
            let cancelled = LinkError(.cancelled, className: call.className, selector: call.selector)
            let described = CallDescription(call.className, call.selector)
            return CallReport(.failed(cancelled), of: described, in: .empty, at: place)
        } catch {
            return CallReport(notAsked: ControlError(.connectionLost, "the host cannot be talked to: \(error)"))
        }
    }

    /// What the host says about the class. One that cannot say it may be called all the same, unless the call's time is up.
    private func catalog(for call: DeclaredCall) async throws(ControlError) -> Catalog {
        do throws(ControlError) {
            return try await client.catalog(ofClass: call.className, within: call.timeout)
        } catch {
            if call.timeout != nil, error.code == .connectionLost { throw error }
            return .empty
        }
    }
}
