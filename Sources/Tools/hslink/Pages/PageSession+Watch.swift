import ComponentKit
import Glibc
import PageKit
import Synchronization

extension PageSession {
    /// The least time between two states of the page that are shown.
    private static let pause = Duration.milliseconds(100)

    /// How often the terminal is asked for its size, and the output for its reader.
    private static let interval = Duration.milliseconds(250)

    /// Shows the page, and again after each change, until the task is cancelled or the output is no longer read.
    func watch(on client: PageClient) async throws -> Int32 {
        let screen = WatchedPage(self, redraws: !isJSON && Terminal.canRedraw)
        let shown = try await client.page(page, after: nil, timeout: PageSession.patience)
        try screen.show(shown)
        return try await withThrowingTaskGroup(of: Int32.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                var revision = shown.revision
                while true {
                    try await Task.sleep(for: PageSession.pause)
                    let next = try await client.page(page, after: revision, timeout: PageSession.patience)
                    try screen.show(next)
                    revision = next.revision
                }
            }
            group.addTask {
                while !Output.hasLostReader() {
                    try await Task.sleep(for: PageSession.interval)
                    try screen.resize()
                }
                return 0
            }
            return try await group.next() ?? 0
        }
    }

    /// Draws the page over what is on the terminal.
    fileprivate func draw(_ page: Page) throws {
        try Terminal.draw(lines(of: page))
    }
}

/// What of a page is on the terminal or in the output.
private final class WatchedPage: Sendable {
    private struct State {
        var page: Page?
        var size: (width: Int?, height: Int) = (nil, 0)
    }

    private let session: PageSession
    private let redraws: Bool
    private let state = Lock(State())

    init(_ session: PageSession, redraws: Bool) {
        self.session = session
        self.redraws = redraws
    }

    /// Shows a page unless it is shown already.
    func show(_ page: Page) throws {
        try state.withLock { state in
            guard page != state.page else { return }
            defer {
                state.page = page
                state.size = (Terminal().width, Terminal.height)
            }
            if redraws { return try session.draw(page) }
            if state.page != nil, !session.isJSON { try Output.result("") }
            try session.print(page)
        }
    }

    /// Shows the page again if the terminal has another size.
    func resize() throws {
        guard redraws else { return }
        try state.withLock { state in
            let size = (Terminal().width, Terminal.height)
            guard let page = state.page, size.0 != state.size.width || size.1 != state.size.height else { return }
            state.size = size
            try session.draw(page)
        }
    }
}

/// The handling of SIGINT and SIGTERM while something is watched: both end the command with status 0.
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
