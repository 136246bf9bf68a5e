import ComponentKit
import Foundation

/// The waits before retries. They end with the client, so that none holds up the stop of the host.
final class WebPauses: Sendable {
    /// The waits under way; nil after the end.
    private let pauses = Lock<[UUID: Task<Void, any Error>]?>([:])

    /// Waits, or returns at once after ``end()``; the client then refuses the request that follows.
    ///
    /// - Throws: a `CancellationError` if the task is cancelled.
    func pause(_ duration: Duration) async throws {
        let id = UUID()
        let pause = pauses.withLock { pauses -> Task<Void, any Error>? in
            guard pauses != nil else { return nil }
            let pause = Task { try await Task.sleep(for: duration) }
            pauses?[id] = pause
            return pause
        }
        guard let pause else { return }
        defer { pauses.withLock { _ = $0?.removeValue(forKey: id) } }
        await withTaskCancellationHandler {
            _ = await pause.result
        } onCancel: {
            pause.cancel()
        }
        try Task.checkCancellation()
    }

    /// Ends all waits, and those that come.
    func end() {
        let ended = pauses.withLock { pauses in
            defer { pauses = nil }
            return pauses
        }
        for pause in (ended ?? [:]).values { pause.cancel() }
    }
}
