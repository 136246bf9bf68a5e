import ArgumentParser
import ComponentHost
import ComponentKit

/// A stream that a call has returned, printed as its values come.
struct PrintedStream: Sendable {
    /// The outcome of printing.
    struct End: Sendable {
        /// Why the stream ended early; nil at its end.
        fileprivate(set) var error: LinkError?
        /// Whether a method of the component may still be running.
        fileprivate(set) var mayBeAtWork = false
    }

    private let stream: LinkObject
    private let isJSON: Bool

    /// - Parameters:
    ///   - result: the result of a call; nil if it failed.
    ///   - isJSON: whether each line is an object with the value, else the value alone.
    /// - Returns: nil if the result is no stream.
    init?(_ result: Payload?, isJSON: Bool) {
        guard let stream = try? result?.object(), stream.isNamed("stream") else { return nil }
        self.stream = stream
        self.isJSON = isJSON
    }

    /// Prints the values, one per line, until the stream ends, the task is cancelled or nobody reads the output. There is
    /// no limit of time.
    ///
    /// - Throws: an ``OutputError`` if a value could not be written.
    func print(from host: LinkHost) async throws -> End {
        var end = End()
        do {
            while !Task.isCancelled, !Output.hasLostReader() {
                let next = try await host.link.call(stream, "next")
                guard !next.isNull else { return end }
                try Output.json(line(of: next["value"] ?? .null))
            }
            // Lets the component end its work before the host stops.
            _ = try? await host.link.call(stream, "cancel", timeout: .seconds(1))
        } catch let error as LinkError {
            end.error = error.naming(className: stream.className, selector: "next", component: "")
            end.mayBeAtWork = error.code == .cancelled
        }
        return end
    }

    /// Returns the line for a value. A value that JSON cannot hold is described.
    private func line(of value: Payload) -> String {
        let shown = isJSON ? value : value.withReadableDates
        let printable = (try? shown.json()) == nil ? Payload(shown.description) : shown
        let line: Payload = isJSON ? ["value": printable] : printable
        return (try? line.json()) ?? "null"
    }
}

extension LocalHost {
    /// Prints a stream until it ends or a signal ends it, and then, with --json, the answer to the call. Stops the host as
    /// ``end(_:mayBeAtWork:)`` does.
    ///
    /// - Throws: an `ExitCode` with the status if it is not 0.
    func end(printing stream: PrintedStream, of report: CallReport) async throws {
        let interruption = try CommandInterruption()
        do {
            let end = try await interruption.during { [host] in try await stream.print(from: host) }
            if let status = interruption.status { try await self.end(status, mayBeAtWork: end.mayBeAtWork) }
            var status: Int32 = 0
            if isJSON || end.error != nil { status = report.ofStream(endedBy: end.error).printed(asJSON: isJSON) }
            try await self.end(status, mayBeAtWork: end.mayBeAtWork)
        } catch let error as OutputError {
            Output.error(error.message)
            try await self.end(ExitCode.failure.rawValue, mayBeAtWork: false)
        }
    }
}
