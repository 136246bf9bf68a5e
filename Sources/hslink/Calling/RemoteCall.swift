import ComponentHost
import ComponentKit
import HostControl

/// A call in a host that runs already. It is cancelled there when this process ends.
struct RemoteCall {
    let call: DeclaredCall
    let socket: String

    /// - Throws: `UsageError` when the host's manifest says that the call is not meant so.
    func perform() async throws -> CallReport {
        do {
            return try await ControlClient.connected(to: socket) { host in
                let call = try call.description(in: try await catalog(of: host))
                var outcome = try await host.call(call)
                if case .returned = outcome { return CallReport(outcome, of: call, in: .empty) }
                if case .failed(let error) = outcome {
                    outcome = .failed(error.naming(className: call.className, selector: call.selector, component: ""))
                }
                // For hints; one that has gone away meanwhile has answered all the same.
                return CallReport(outcome, of: call, in: (try? await host.catalog()) ?? .empty)
            }
        } catch let error as UsageError {
            throw error
        } catch let error as ControlError {
            return CallReport(notAsked: error)
        } catch {
            return CallReport(notAsked: ControlError(.connectionLost, "the host cannot be talked to: \(error)"))
        }
    }

    /// What the host says that it has. One that cannot say it may be called all the same, unless the call's time is up.
    private func catalog(of host: ControlClient) async throws -> Catalog {
        do throws(ControlError) {
            return try await host.catalog(for: call.timeout)
        } catch {
            if call.timeout != nil, error.code == .connectionLost { throw error }
            return .empty
        }
    }
}
