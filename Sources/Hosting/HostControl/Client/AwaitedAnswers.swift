import ComponentKit
import Glibc
import NIOCore

/// The answers that a client expects, by id.
final class AwaitedAnswers: Sendable {
    typealias Answer = Result<ControlAnswer.Content, ControlError>

    private enum Expectation: Sendable {
        /// No task waits yet.
        case open
        case waiting(@Sendable (Answer) -> Void)
        case come(Answer)
    }

    private struct State {
        var next: Int64 = 0
        var expected: [Int64: Expectation] = [:]
        var end: ControlError?
    }

    /// The error if the connection ends without a reason.
    static let lost = ControlError(
        .connectionLost, "the host closed the connection before it answered; it was stopped or has crashed")

    /// The error if the host does not answer within the time limit.
    static let late = ControlError(
        .connectionLost, "the host did not answer in time; it may be suspended or overloaded")

    private let state = Lock(State())

    /// Returns a new id. Its answer is kept until ``wait(for:)`` is called.
    ///
    /// - Throws: ``ControlError`` if the connection has ended, so nothing can be sent.
    func expect() throws(ControlError) -> Int64 {
        try state.withLock { state throws(ControlError) in
            if let end = state.end {
                // The host may have given a reason for closing the connection.
                guard end.code == .connectionLost else { throw end }
                throw ControlError(.connectionLost, "the request was not sent: \(end.message)")
            }
            state.next += 1
            state.expected[state.next] = .open
            return state.next
        }
    }

    func forget(_ id: Int64) { state.withLock { $0.expected[id] = nil } }

    /// Waits for the answer or the end of the connection.
    func wait(for id: Int64) async -> Answer {
        await awaitResume { resume in
            let answer: Answer? = state.withLock { state in
                if case .come(let answer) = state.expected[id] {
                    state.expected[id] = nil
                    return answer
                }
                if let end = state.end { return .failure(end) }
                state.expected[id] = .waiting(resume)
                return nil
            }
            if let answer { resume(answer) }
        }
    }

    /// Stops waiting for this answer and fails with `reason`.
    func expire(_ id: Int64, _ reason: ControlError) {
        let waiting = state.withLock { $0.expected.removeValue(forKey: id) }
        guard case .waiting(let resume) = waiting else { return }
        resume(.failure(reason))
    }

    /// Reads answers until the connection ends.
    func read(_ frames: NIOAsyncChannelInboundStream<Frame>) async {
        var end = AwaitedAnswers.lost
        do {
            for try await frame in frames {
                if let reason = take(frame) {
                    end = reason
                    break
                }
            }
        } catch let error as IOError where [ECONNRESET, EPIPE].contains(error.errnoCode) {
            // The host was killed.
        } catch {
            end = ControlError(.connectionLost, "the connection to the host broke: \(error)")
        }
        let expected = state.withLock { state in
            state.end = end
            defer { state.expected = [:] }
            return state.expected
        }
        for case .waiting(let resume) in expected.values { resume(.failure(end)) }
    }

    /// - Returns: why the connection cannot continue; nil if it can.
    private func take(_ frame: Frame) -> ControlError? {
        let answer: ControlAnswer
        switch frame {
        case .end(let error): return ControlError(.malformed, "the host's answer is invalid: \(error)")
        case .content(let content):
            do throws(PayloadError) {
                answer = try ControlAnswer(try Payload(cbor: Array(content.readableBytesView), limits: .message))
            } catch {
                return ControlError(.malformed, "the host's answer cannot be understood: \(error)")
            }
        }
        guard let id = answer.id else {
            if case .refusal(let error) = answer.content { return error }
            return ControlError(.malformed, "the host sent an answer without the id of a request")
        }
        let resume: (@Sendable (Answer) -> Void)? = state.withLock { state in
            switch state.expected[id] {
            case .waiting(let resume):
                state.expected[id] = nil
                return resume
            case .open:
                state.expected[id] = .come(.success(answer.content))
                return nil
            case .come, nil: return nil
            }
        }
        resume?(.success(answer.content))
        return nil
    }
}
