import ComponentKit

/// Lets one attempt at a time through for each name: attempts at once would all be looked at before the first failure
/// counts.
final class NameGate: Sendable {
    private typealias Resume = @Sendable (Bool) -> Void
    /// Those who wait, under each name that somebody is inside for.
    private let waiting = Lock<[String: [Resume]]>([:])

    /// Runs `body` when it is this one's turn.
    func pass<Value>(_ key: String, _ body: () async throws -> Value) async rethrows -> Value {
        await enter(key)
        defer { leave(key) }
        return try await body()
    }

    private func enter(_ key: String) async {
        _ = await awaitResume { (resume: @escaping Resume) in
            let isFree = waiting.withLock { waiting in
                let isFree = waiting[key] == nil
                waiting[key, default: []] += isFree ? [] : [resume]
                return isFree
            }
            if isFree { resume(true) }
        }
    }

    private func leave(_ key: String) {
        let next = waiting.withLock { waiting -> Resume? in
            guard var others = waiting[key], !others.isEmpty else {
                waiting[key] = nil
                return nil
            }
            let next = others.removeFirst()
            waiting[key] = others
            return next
        }
        next?(true)
    }
}
