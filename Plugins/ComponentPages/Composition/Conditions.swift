import ComponentKit
import PageKit

/// What the conditions of a page answer in its session, until they say that they have changed.
final class Conditions: Sendable {
    private struct Condition {
        let question = SharedQuestion<Bool?>()
        /// What it has been asked with: the values of the page, if it takes them.
        var data: Payload?
        /// What it has answered; nothing if that has been forgotten, or if it has failed.
        var value: Bool?
        /// What it has answered last, even if that has been forgotten; nothing if it has failed since.
        var last: Bool?
        /// Whether a plan has not waited for its answer, and what it has taken instead.
        var isAssumed = false
        var assumed: Bool?
    }

    /// How long a page waits for a condition. Until it answers, it counts as it did last: the sections that name it stay,
    /// with what people are typing there. An answer that changes something leads to another plan.
    static let patience = Duration.milliseconds(200)

    private let page: String
    private let link: Link
    private let timeout: Duration
    private let report: @Sendable (ModuleDirectory.Module, any Error) -> Void
    /// The conditions that have been asked, by their names. Anybody may say that something has changed.
    private let state = Lock<[String: Condition]>([:])

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

    /// Whether a plan has not waited for an answer that is still to come.
    var areLate: Bool { state.withLock { $0.values.contains(where: \.isAssumed) } }

    /// Asks conditions again the next time.
    ///
    /// - Parameter name: The condition; nil for all.
    func forget(_ name: String? = nil) {
        state.withLock { conditions in
            for key in name.map({ [$0] }) ?? Array(conditions.keys) {
                conditions[key]?.value = nil
                conditions[key]?.question.outdate()
            }
        }
    }

    /// Returns what each condition answers in the session of the running task. One that no component has does not hold;
    /// one that fails has no answer, nor has one that is slow, unless it has answered before.
    ///
    /// - Parameters:
    ///   - data: What those conditions receive that take data, by their names.
    ///   - late: Called when a condition has turned out to be another than what this has returned.
    func values(
        of names: Set<String>, _ modules: ModuleDirectory, data: [String: Payload?],
        late: @escaping @Sendable () -> Void
    ) async -> [String: Bool] {
        var values: [String: Bool] = [:]
        await withTaskGroup(of: (String, Bool?).self) { group in
            for name in names {
                guard let module = modules[name] else {
                    values[name] = false
                    continue
                }
                group.addTask { (name, await self.value(of: module, data: data[name] ?? nil, late: late)) }
            }
            for await (name, value) in group { values[name] = value }
        }
        return values
    }

    private func value(
        of module: ModuleDirectory.Module, data: Payload?, late: @escaping @Sendable () -> Void
    ) async -> Bool? {
        guard module.isCondition else { return nil }
        let (known, question) = state.withLock { conditions in
            var condition = conditions[module.name] ?? Condition()
            condition.isAssumed = false
            // The file of the page may name another model for its values.
            if condition.data != data {
                (condition.data, condition.value) = (data, nil)
                condition.question.outdate()
            }
            conditions[module.name] = condition
            return (condition.value, condition.question)
        }
        if let known { return known }
        let answer = await question.answer(within: Conditions.patience) {
            await self.ask(module, data: data, late: late)
        }
        if let answer { return answer }
        return state.withLock { conditions in
            guard var condition = conditions[module.name] else { return nil }
            // It may have answered just now.
            if let value = condition.value { return value }
            condition.isAssumed = true
            condition.assumed = condition.last
            conditions[module.name] = condition
            return condition.last
        }
    }

    private func ask(_ module: ModuleDirectory.Module, data: Payload?, late: @Sendable () -> Void) async -> Bool? {
        // Another question may have been answered while this one was on its way.
        if let known = state.withLock({ $0[module.name]?.value }) { return known }
        let payload = module.payload(PageContext(page: page, section: "", module: module.name), data)
        var value: Bool?
        do {
            value = try await link.call(
                module.className, module.selector, payload, kind: module.kind, timeout: timeout
            ).bool()
        } catch {
            report(module, error)
        }
        let isOther = state.withLock { [value] conditions in
            guard var condition = conditions[module.name] else { return false }
            defer { conditions[module.name] = condition }
            condition.last = value
            guard !condition.question.isOutdated else { return false }
            condition.value = value
            defer { condition.isAssumed = false }
            return condition.isAssumed && condition.assumed != value
        }
        if isOther { late() }
        return value
    }
}
