import ComponentKit
import Foundation

/// Runs `body` on a thread of its own: blocking calls have no place on Swift's pool.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await awaitResume { resume in
        Thread.detachNewThread { resume(Result { try body() }) }
    }.get()
}

/// The answer of a call that throws its error.
func answer(_ body: () async throws -> Payload) async -> Answer {
    do {
        return Answer(.success(try await body()))
    } catch let error as LinkError {
        return Answer(.failure(error))
    } catch {
        return Answer(.failure(LinkError(.methodFailed, message: "not a LinkError: \(error)")))
    }
}
