import ComponentHost
import ComponentKit
import HostControl

/// Performs calls in a running host, which cancels them when this process ends.
struct RemoteHost {
    let client: ControlClient
    let place: HostPlace

    /// Calls `body` with the host at a socket.
    ///
    /// - Throws: a `ControlError` if no host can be reached there, or a ``UsageError`` that `body` throws.
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
            throw ControlError(.connectionLost, "the connection to the host failed: \(error)")
        }
    }

    /// Rejects keys that the selector of a URL's route does not declare. A host that cannot say which selector that is
    /// may still open the URL.
    func refuseKeys(of url: URLArguments, remote: String?, timeout: Duration?) async throws(UsageError) {
        guard case .returned(let answer)? = try? await client.call(url.question(remote: remote, timeout: timeout)),
            let route = OpenedRoute(answer),
            let catalog = try? await client.catalog(ofClass: route.className, within: timeout)
        else { return }
        try url.refuseKeys(of: route, in: catalog)
    }

    /// Performs a call.
    ///
    /// - Throws: a ``UsageError`` if a value cannot be read or a key does not match the component's manifest.
    func perform(_ call: DeclaredCall) async throws(UsageError) -> CallReport {
        var catalog = Catalog.empty
        do {
            catalog = try await self.catalog(for: call)
            let limit = call.limit
            let call = try call.description(in: catalog)
            var outcome = try await client.call(call)
            if case .failed(let error) = outcome {
                // The catalog is only for hints: the answer counts even if the host has disappeared since.
                if [.classNotFound, .routeNotFound].contains(error.code) {
                    catalog = (try? await client.catalog()) ?? .empty
                }
                outcome = .failed(error.naming(className: call.className, selector: call.selector, component: ""))
            }
            return CallReport(outcome, of: call, in: catalog, at: place).limited(by: limit, of: call)
        } catch let error as UsageError {
            throw error
        } catch let error as ControlError {
            // Cancelling the task closes the connection, which cancels the call.
            guard Task.isCancelled else { return CallReport(notAsked: error, call.className, call.selector) }
            // The host's own answer may have arrived first: both read the same.
            let cancelled = LinkError(.cancelled).naming(
                className: call.className, selector: call.selector,
                component: catalog.entry(ofClass: call.className)?.manifest.name ?? "")
            let described = CallDescription(call.className, call.selector)
            return CallReport(.failed(cancelled), of: described, in: catalog, at: place)
        } catch {
            return CallReport(
                notAsked: ControlError(.connectionLost, "the connection to the host failed: \(error)"),
                call.className, call.selector)
        }
    }

    /// Returns the host's catalog for the class; empty if the host cannot supply it, since the call may still succeed.
    ///
    /// - Throws: a `ControlError` if the connection is lost and the call has a deadline.
    private func catalog(for call: DeclaredCall) async throws(ControlError) -> Catalog {
        do throws(ControlError) {
            return try await client.catalog(ofClass: call.className, within: call.limit.duration)
        } catch {
            if call.limit.duration != nil, error.code == .connectionLost { throw error }
            return .empty
        }
    }
}
