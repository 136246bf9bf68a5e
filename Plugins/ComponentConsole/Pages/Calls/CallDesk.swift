import ComponentKit

/// Makes the calls that people ask for, and keeps the last one of each session and component.
final class CallDesk: Sendable {
    private struct State {
        var running: [Int: Task<Void, Never>] = [:]
        var lastNumber = 0
        var isEnded = false
    }

    /// The methods that people have chosen, by component.
    let chosen = SessionValues<String>()
    private let records = SessionValues<(number: Int, record: CallRecord)>(most: 500)
    private let link: Link
    private let state = Lock(State())

    /// The most calls in flight, in all sessions together.
    private static let mostCalls = 50
    /// How long a method may take.
    private static let timeout = Duration.seconds(60)
    /// How long a person waits before the page says that the call is in flight.
    private static let patience = 25

    init(_ link: Link) { self.link = link }

    /// The last call to a component in the session of the running call.
    func record(of component: String) -> CallRecord? { records[component]?.record }

    /// Calls a method in the session of the running call. Returns once the call has ended, or after a moment.
    ///
    /// - Parameters:
    ///   - written: what was filled in, from which the arguments were made.
    ///   - ended: is called, in the same session, when the call has ended.
    func perform(
        _ selector: DeclaredSelector, of component: String, _ arguments: Payload, written: Payload,
        ended: @escaping @Sendable () -> Void
    ) async {
        let number = state.withLock { state -> Int in
            state.lastNumber += 1
            return state.lastNumber
        }
        let begun = CallRecord(method: selector.label, written: written)
        let start = ContinuousClock.now
        note(begun, number: number, of: component)
        let isBegun = state.withLock { state in
            guard state.running.count < CallDesk.mostCalls, !state.isEnded else { return false }
            // The task belongs to the session, as the method does that it calls.
            state.running[number] = Task {
                let outcome = await outcome(of: selector, arguments)
                note(begun.ended(outcome, after: start.duration(to: .now)), number: number, of: component)
                self.state.withLock { $0.running[number] = nil }
                ended()
            }
            return true
        }
        guard isBegun else {
            let error = LinkError(
                domain: "ComponentConsole", number: 3, message: "too many calls of the console are in flight")
            return note(begun.ended(.failed(CallFailure(error)), after: .zero), number: number, of: component)
        }
        for _ in 0..<CallDesk.patience where state.withLock({ $0.running[number] != nil }) {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    private func outcome(of selector: DeclaredSelector, _ arguments: Payload) async -> CallOutcome {
        do throws(LinkError) {
            let answer = try await link.call(
                selector.className, selector.name, arguments, kind: selector.kind, timeout: CallDesk.timeout)
            return .answered(json: AnswerText(answer).json)
        } catch {
            return .failed(CallFailure(error))
        }
    }

    /// Notes how a call is going, unless the session has made a later one.
    private func note(_ record: CallRecord, number: Int, of component: String) {
        guard records[component].map({ $0.number <= number }) ?? true else { return }
        records[component] = (number, record)
    }

    /// Ends all calls.
    func end() {
        let running = state.withLock { state in
            state.isEnded = true
            return Array(state.running.values)
        }
        for task in running { task.cancel() }
    }
}
