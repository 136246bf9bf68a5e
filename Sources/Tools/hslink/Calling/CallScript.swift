import ArgumentParser
import ComponentKit

/// Calls read from standard input, one per line. One host performs them in order, so later calls can use the results of
/// earlier ones.
struct CallScript {
    let isJSON: Bool
    /// Whether the lines after a failed call are performed.
    let keepsGoing: Bool
    /// The limit for calls that do not specify one.
    let limit: CallLimit

    enum Host {
        case local(LocalHost)
        case remote(RemoteHost)
    }

    /// The outcome of a script.
    struct End: Sendable {
        /// The status of the first failed call; 0 if none failed.
        fileprivate(set) var status: Int32 = 0
        /// Whether a method may still be running.
        fileprivate(set) var mayBeAtWork = false
    }

    /// Performs the calls. Cancelling the task cancels the call in flight and ends the script.
    ///
    /// - Throws: a ``UsageError`` if standard input cannot be read.
    func run(on host: Host) async throws -> End {
        var end = End()
        var results = ScriptResults()
        var input = try ScriptInput()
        var number = 0
        while let line = try await input.next() {
            number += 1
            let status: Int32
            do throws(OutputError) {
                switch await perform(line, results, on: host) {
                case .success(nil): continue
                case .success(let report?):
                    results.add(report.value)
                    if report.isEndedFromOutside { end.mayBeAtWork = true }
                    status = try report.print(asJSON: isJSON, line: number)
                case .failure(let error):
                    results.add(nil)
                    try printRefused(error, line: number)
                    status = ExitCode.validationFailure.rawValue
                }
            } catch {
                // Later answers could not be written either.
                Output.error(error.message)
                end.status = ExitCode.failure.rawValue
                return end
            }
            if end.status == 0 { end.status = status }
            // Further calls might have side effects, and their outcome would not be seen.
            if Output.hasNoReader { break }
            if status != 0 && !keepsGoing || Task.isCancelled { break }
        }
        return end
    }

    /// Reports a line that is not a call. With `--json`, every such line has an answer too, so that a program can match
    /// answers with lines.
    private func printRefused(_ error: UsageError, line: Int) throws(OutputError) {
        guard isJSON else { return Output.error("line \(line): \(error.message)") }
        try Output.json(CallReport(refused: error).json(line: line))
    }

    /// Performs the call on a line.
    ///
    /// - Returns: the report; nil if the line has no call.
    private func perform(
        _ line: ScriptInput.Line, _ results: ScriptResults, on host: Host
    ) async -> Result<CallReport?, UsageError> {
        do throws(UsageError) {
            switch line {
            case .unusable(let reason): throw UsageError(reason)
            case .text(let text):
                guard let call = try ScriptCall(text, limit: limit, results: results) else { return .success(nil) }
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
        case (.object, .remote): throw UsageError("an object can only be called in the process of its host")
        }
    }
}
