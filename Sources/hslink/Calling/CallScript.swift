import ArgumentParser
import ComponentKit

/// Calls that standard input holds, one a line, performed one after the other by one host, so that later ones can use what
/// earlier ones have returned.
struct CallScript {
    let isJSON: Bool
    /// Whether the lines behind one that has failed are performed.
    let keepsGoing: Bool
    /// Of calls that do not say their own.
    let timeout: Duration?

    enum Host {
        case local(LocalHost)
        case remote(RemoteHost)
    }

    /// How it went.
    struct End: Sendable {
        /// Of the first call that has failed; 0 where none has.
        fileprivate(set) var status: Int32 = 0
        /// Whether a method may still be at work.
        fileprivate(set) var mayBeAtWork = false
    }

    /// Performs the calls. Cancelling the task cancels the call that is under way, and ends the script.
    ///
    /// - Throws: a ``UsageError`` when standard input cannot be read.
    func run(on host: Host) async throws -> End {
        var end = End()
        var results = ScriptResults()
        var input = try ScriptInput()
        var number = 0
        while let line = try await input.next() {
            number += 1
            let status: Int32
            switch await perform(line, results, on: host) {
            case .success(nil): continue
            case .success(let report?):
                results.add(report.value)
                if report.isEndedFromOutside { end.mayBeAtWork = true }
                do throws(OutputError) {
                    status = try report.print(asJSON: isJSON, line: number)
                } catch {
                    // Nothing that follows could be answered either.
                    Output.error(error.message)
                    end.status = ExitCode.failure.rawValue
                    return end
                }
            case .failure(let error):
                results.add(nil)
                Output.error("line \(number): \(error.message)")
                status = ExitCode.validationFailure.rawValue
            }
            if end.status == 0 { end.status = status }
            // Calls may change something, and nobody would see how they went.
            if Output.hasNoReader { break }
            if status != 0 && !keepsGoing || Task.isCancelled { break }
        }
        return end
    }

    /// - Returns: nil where the line has no call.
    private func perform(
        _ line: ScriptInput.Line, _ results: ScriptResults, on host: Host
    ) async -> Result<CallReport?, UsageError> {
        do throws(UsageError) {
            switch line {
            case .unusable(let reason): throw UsageError(message: reason)
            case .text(let text):
                guard let call = try ScriptCall(text, timeout: timeout, results: results) else { return .success(nil) }
                return .success(try await perform(call, on: host))
            }
        } catch {
            return .failure(error)
        }
    }

    private func perform(_ call: ScriptCall, on host: Host) async throws(UsageError) -> CallReport {
        switch (call, host) {
        case (.named(let call), .local(let host)): try await host.perform(call)
        case (.named(let call), .remote(let host)): try await host.perform(call)
        case (.object(let object, let selector, let arguments, let timeout), .local(let host)):
            try await host.perform(selector, of: object, arguments, timeout: timeout)
        case (.object, .remote): throw UsageError(message: "an object can only be called in the process of its host")
        }
    }
}
