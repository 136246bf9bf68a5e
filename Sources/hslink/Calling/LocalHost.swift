import ComponentHost
import ComponentKit
import HostControl

/// Calls by a host that is made for them, in this process.
struct LocalHost {
    let host: LinkHost
    let place: HostPlace

    /// - Throws: when the component's manifest says that the call is not meant so.
    func perform(_ call: DeclaredCall) async throws(UsageError) -> CallReport {
        let call = try call.description(in: host.catalog)
        let outcome: ControlClient.Outcome
        do throws(LinkError) {
            outcome = .returned(
                try await host.call(
                    call.className, call.selector, call.payload, kind: call.kind, timeout: call.timeout))
        } catch {
            outcome = .failed(error.naming(className: call.className, selector: call.selector, component: ""))
        }
        return CallReport(outcome, of: call, in: host.catalog, at: place)
    }

    /// Calls a selector of an object that an earlier call has returned.
    ///
    /// - Throws: when its payload cannot be had.
    func perform(
        _ selector: String, of object: LinkObject, _ arguments: PayloadArguments, timeout: Duration?
    ) async throws(UsageError) -> CallReport {
        let payload = try arguments.payload()
        let outcome: ControlClient.Outcome
        do throws(LinkError) {
            outcome = .returned(try await host.link.call(object, selector, payload, timeout: timeout))
        } catch {
            outcome = .failed(error.naming(className: object.className, selector: selector, component: ""))
        }
        // An object's class is its component's own affair: no manifest is asked.
        return CallReport(
            outcome, of: CallDescription(object.className, selector), in: .empty, at: place)
    }
}
