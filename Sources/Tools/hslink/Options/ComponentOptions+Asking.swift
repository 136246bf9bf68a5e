import ComponentHost
import ComponentKit
import HostContract
import HostControl

extension ComponentOptions {
    /// Asks a class that every host has: of a running host, or of one that this command makes.
    ///
    /// - Parameters:
    ///   - host: the running host, if one was given.
    ///   - rejected: receives the directories that a host in this process does not search.
    ///   - configure: changes the options of a host in this process.
    /// - Throws: `ControlError` with the reason why there is no answer.
    func ask(
        _ host: RunningHostOptions, className: String, selector: String, payload: Payload,
        rejected: inout [RejectionRow], configure: (inout HostOptions) -> Void = { _ in }
    ) async throws -> Payload {
        if let socket = host.socket {
            return try await ControlClient.connected(to: socket) {
                try await $0.ask(className, selector, payload: payload)
            }
        }
        let host = makeHost(configure)
        rejected = HostContents(host).rejectedDirectories
        do throws(LinkError) {
            return try await host.call(className, selector, payload, kind: .class)
        } catch {
            throw ControlError(.connectionLost, error.message)
        }
    }
}

extension ControlClient {
    /// Asks a class that every host has.
    ///
    /// - Throws: `ControlError` with the reason why there is no answer.
    func ask(_ className: String, _ selector: String, payload: Payload = .null) async throws -> Payload {
        switch try await call(CallDescription(className, selector, payload, kind: .class)) {
        case .returned(let answer): return answer
        case .failed(let error): throw ControlError(.connectionLost, "the host answered: \(error.message)")
        case .notSendable: throw ControlError(.connectionLost, "the host's answer cannot be sent")
        }
    }
}
