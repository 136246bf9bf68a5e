import ComponentKit
import PageKit

/// What the conditions of a page answer in its session, until they say that they have changed.
final class Conditions: Sendable {
    private struct State {
        /// By the names of conditions.
        var values: [String: Bool] = [:]
        /// What each has answered last, even if that has been forgotten; nothing for one that has failed since.
        var last: [String: Bool] = [:]
        /// How often each has been forgotten, and how often all have been, so that a late answer does not count for what
        /// came after it.
        var numbers: [String: Int] = [:]
        var number = 0
        /// The conditions that have been asked. Anybody may say that something has changed.
        var asked: Set<String> = []

        func count(_ name: String) -> Int { number + numbers[name, default: 0] }
    }

    /// How long a page waits for a condition. Until it answers, it counts as it did last: the sections that name it stay,
    /// with what people are typing there. An answer that changes something leads to another plan.
    static let patience = Duration.milliseconds(200)

    private let page: String
    private let link: Link
    private let timeout: Duration
    private let report: @Sendable (ModuleDirectory.Module, any Error) -> Void
    private let state = Lock(State())

    /// - Parameters:
    ///   - page: The id of the page.
    ///   - timeout: How long an answer may take.
    ///   - report: Called for a condition that has no answer.
    init(
        of page: String, _ link: Link, timeout: Duration,
        report: @escaping @Sendable (ModuleDirectory.Module, any Error) -> Void
    ) {
        self.page = page
        self.link = link
        self.timeout = timeout
        self.report = report
    }

    /// Asks conditions again the next time.
    ///
    /// - Parameter name: The condition; nil for all.
    func forget(_ name: String? = nil) {
        state.withLock { state in
            if let name {
                guard state.asked.contains(name) else { return }
                state.values[name] = nil
                state.numbers[name, default: 0] += 1
            } else {
                state.values = [:]
                state.asked = []
                state.number += 1
            }
        }
    }

    /// Returns what each condition answers in the session of the running task. One that no component has does not hold;
    /// one that fails has no answer, nor has one that is slow, unless it has answered before.
    ///
    /// - Parameter late: Called when a condition has turned out to be another than what this has returned.
    func values(
        of names: Set<String>, _ modules: ModuleDirectory, late: @escaping @Sendable () -> Void
    ) async -> [String: Bool] {
        var values: [String: Bool] = [:]
        await withTaskGroup(of: (String, Bool?).self) { group in
            for name in names {
                guard let module = modules[name] else {
                    values[name] = false
                    continue
                }
                group.addTask { (name, await self.value(of: module, late: late)) }
            }
            for await (name, value) in group { values[name] = value }
        }
        return values
    }

    private func value(
        of module: ModuleDirectory.Module, late: @escaping @Sendable () -> Void
    ) async -> Bool? {
        let (known, last, number) = state.withLock {
            ($0.values[module.name], $0.last[module.name], $0.count(module.name))
        }
        if let known { return known }
        guard module.isCondition else { return nil }
        state.withLock { _ = $0.asked.insert(module.name) }
        let payload = module.payload(PageContext(page: page, section: "", module: module.name), nil)
        let answer = FirstAnswer<Bool?>()
        Task {
            var value: Bool?
            do {
                value = try await link.call(
                    module.className, module.selector, payload, kind: module.kind, timeout: timeout
                ).bool()
            } catch {
                report(module, error)
            }
            let isCurrent = state.withLock { state in
                guard state.count(module.name) == number else { return false }
                state.values[module.name] = value
                state.last[module.name] = value
                return true
            }
            if !answer.give(value), isCurrent, value != last { late() }
        }
        Task {
            try? await Task.sleep(for: Conditions.patience)
            _ = answer.give(last)
        }
        return await answer.value
    }
}

/// A value that several tasks may give, of which the first counts.
private final class FirstAnswer<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiter: CheckedContinuation<Value, Never>?
    }

    private let state = Lock(State())

    /// - Returns: Whether it was the first.
    func give(_ value: Value) -> Bool {
        let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
            guard state.value == nil else { return (false, nil) }
            state.value = value
            defer { state.waiter = nil }
            return (true, state.waiter)
        }
        waiter?.resume(returning: value)
        return isFirst
    }

    /// The value, once there is one. One task may ask.
    var value: Value {
        get async {
            await withCheckedContinuation { waiter in
                let known = state.withLock { state -> Value? in
                    if state.value == nil { state.waiter = waiter }
                    return state.value
                }
                if let known { waiter.resume(returning: known) }
            }
        }
    }
}
