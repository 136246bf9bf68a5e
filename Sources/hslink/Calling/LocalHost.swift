import ComponentHost
import ComponentKit
import HostControl

/// Performs calls with a host in this process.
struct LocalHost {
    let host: LinkHost
    let place: HostPlace

    /// Performs a call.
    ///
    /// - Throws: a ``UsageError`` if a value cannot be read or a key does not match the component's manifest.
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

    /// Calls a selector of an object that an earlier call returned.
    ///
    /// - Throws: a ``UsageError`` if the payload cannot be read.
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
        // An object's class is private to its component, so no manifest describes it.
        return CallReport(
            outcome, of: CallDescription(object.className, selector), in: .empty, at: place)
    }
}
