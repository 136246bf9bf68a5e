import ComponentKit
import Glibc
import PageKit
import Synchronization

extension PageSession {
    /// The least time between two states of the page that are shown.
    private static let pause = Duration.milliseconds(100)

    /// Shows the page, and again after each change, until the task is cancelled or nobody reads the output.
    func watch(on client: PageClient) async throws -> Int32 {
        var shown = try await client.page(page, after: nil, timeout: PageSession.patience)
        let redraws = !isJSON && Terminal.canRedraw
        var size = (Terminal().width, Terminal.height)
        if redraws { try draw(shown) } else { try print(shown) }
        while !Output.hasNoReader {
            try await Task.sleep(for: PageSession.pause)
            let next = try await client.page(page, after: shown.revision, timeout: PageSession.patience)
            let current = (Terminal().width, Terminal.height)
            if redraws {
                if next != shown || current != size { try draw(next) }
            } else if next != shown {
                if !isJSON { try Output.result("") }
                try print(next)
            }
            (shown, size) = (next, current)
        }
        return 0
    }

    /// Draws the page over what is on the terminal, in one piece so that it does not flicker.
    private func draw(_ page: Page) throws {
        var lines = lines(of: page)
        // A line more would move everything up.
        let most = max(Terminal.height - 1, 1)
        if lines.count > most {
            let rest = lines.count - most + 1
            lines = Array(lines.prefix(most - 1)) + ["… \(rest) more lines"]
        }
        // Each line is cleared before it is written: the cursor stays on the last column of one that is full. The last
        // one clears what is below, too.
        let text = lines.dropLast().map { "\u{1B}[K\($0)\n" }.joined() + "\u{1B}[J" + (lines.last ?? "")
        // The cursor is hidden only meanwhile, so it is visible whenever and however the process ends.
        try Output.result("\u{1B}[?25l\u{1B}[H\(text)\u{1B}[?25h")
    }
}

/// The handling of SIGINT and SIGTERM while a page is watched: both end the command with status 0.
final class WatchInterruption: Sendable {
    private let isReceived = Atomic(false)
    private let input: Int32

    /// How long the process may take to end.
    private static let patience = Duration.seconds(10)

    /// - Throws: ``PageFailure`` if the system refuses.
    init() throws {
        do throws(SignalError) {
            input = try TerminationSignals.take([SIGINT, SIGTERM])
        } catch {
            throw PageFailure(error.message)
        }
    }

    /// Runs `work` and cancels it at the first signal.
    ///
    /// - Returns: the exit status.
    func during(_ work: @escaping @Sendable () async throws -> Int32) async throws -> Int32 {
        let task = Task { try await work() }
        do throws(SignalError) {
            try TerminationSignals.handle(input, patience: WatchInterruption.patience) { _ in
                self.isReceived.store(true, ordering: .sequentiallyConsistent)
                task.cancel()
            } reload: {
            }
        } catch {
            task.cancel()
            throw PageFailure(error.message)
        }
        do {
            return try await task.value
        } catch {
            guard isReceived.load(ordering: .sequentiallyConsistent) else { throw error }
            return 0
        }
    }
}
