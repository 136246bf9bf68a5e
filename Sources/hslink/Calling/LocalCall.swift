import ComponentHost
import ComponentKit
import HostControl

/// A call by a host that is made for it, in this process.
struct LocalCall {
    let call: CallDescription
    let host: LinkHost

    func perform() async -> CallReport {
        let outcome: ControlClient.Outcome
        do throws(LinkError) {
            outcome = .returned(
                try await host.call(
                    call.className, call.selector, call.payload, kind: call.kind, timeout: call.timeout))
        } catch {
            outcome = .failed(error.naming(className: call.className, selector: call.selector, component: ""))
        }
        return CallReport(outcome, of: call, in: host.catalog)
    }
}
