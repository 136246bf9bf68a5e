import ArgumentParser
import ComponentHost
import ComponentKit
import Glibc
import HostContract
import HostControl

/// Performs calls with a host in this process.
struct LocalHost {
    let host: LinkHost
    let place: HostPlace
    /// Whether what streams and closures of the command line print is JSON for programs.
    let isJSON: Bool

    /// Creates a host in this process and warns about the directories that it rejects.
    ///
    /// - Parameters:
    ///   - isJSON: whether what streams and closures print is JSON for programs.
    ///   - configure: changes the options of the host.
    /// - Throws: an `ExitCode` if a file of the configuration cannot be used.
    init(
        _ components: ComponentOptions, data: DataOptions, configuration: ConfigurationOptions, isJSON: Bool = false,
        configure: (inout HostOptions) -> Void = { _ in }
    ) throws {
        host = components.makeHost(data: data) { options in
            configuration.apply(to: &options)
            configure(&options)
        }
        try configuration.verify(host)
        configuration.warn(of: host)
        place = .directories(components.directories)
        self.isJSON = isJSON
        guard !components.directories.isEmpty else { return }
        components.report(HostContents(host).rejectedDirectories, as: "Warning")
    }

    /// Stops the host, and exits the process if a method may still be running. Call it after all output has been
    /// written.
    ///
    /// - Throws: an `ExitCode` with the status if it is not 0.
    func end(_ status: Int32, mayBeAtWork: Bool) async throws {
        let stop = await host.stop(timeout: .seconds(1))
        // If a thread is still running in a component, exit handlers would free resources that it uses, or wait for it.
        if !stop.stillRunning.isEmpty || mayBeAtWork { _exit(status) }
        if status != 0 { throw ExitCode(status) }
    }

    /// Returns the route that a URL leads to; nil if there is none.
    func route(of url: URLArguments, remote: String?) async -> OpenedRoute? {
        let question = url.question(remote: remote, timeout: nil)
        let answer = try? await host.call(
            question.className, question.selector, question.payload, kind: question.kind)
        return answer.flatMap { OpenedRoute($0) }
    }

    /// Performs a call.
    ///
    /// - Throws: a ``UsageError`` if a value cannot be read or a key does not match the component's manifest.
    func perform(_ call: DeclaredCall) async throws(UsageError) -> CallReport {
        let limit = call.limit
        let call = try call.description(in: host.catalog, closures: PrintingClosures(host: host, isJSON: isJSON))
        let outcome: ControlClient.Outcome
        do throws(LinkError) {
            outcome = .returned(
                try await host.call(
                    call.className, call.selector, call.payload, kind: call.kind, timeout: call.timeout))
        } catch {
            outcome = .failed(error.naming(className: call.className, selector: call.selector, component: ""))
        }
        return CallReport(outcome, of: call, in: host.catalog, at: place).limited(by: limit, of: call)
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
