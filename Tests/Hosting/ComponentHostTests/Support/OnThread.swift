import ComponentKit
import Foundation

/// Runs `body` on a new thread, because blocking calls must not run on Swift's cooperative thread pool.
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
