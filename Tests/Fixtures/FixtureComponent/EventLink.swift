import ComponentKit
import FixtureContract
import Synchronization

/// A class that handles events.
@LinkClass
final class EventLink {
    private let context: ComponentContext
    private let seen = Lock<[String]>([])
    private let whoStarted = Lock<String?>(nil)

    init(_ context: ComponentContext) { self.context = context }

    @Selector(.quick) func told() -> [String] { seen.withLock { $0 } }

    @Selector func postChange(value: Int, sticky: Bool = false) {
        context.events.post(Changed(value: value), sticky: sticky)
    }

    @Selector func deliverChange(value: Int) async -> [Int] {
        let outcome = await context.events.deliver(Changed(value: value))
        return [outcome.handled, outcome.failures.count, outcome.refusal == nil ? 0 : 1]
    }

    @Selector func lastChange() throws -> Int? { try context.events.last(Changed.self)?.value }

    @Selector func deliverNamed(name: String) async -> String {
        await context.events.deliver(name, .null).refusal?.message ?? "delivered"
    }

    @On func changed(_ event: Changed) async throws {
        note("changed \(event.value)")
        if event.value < 0 { throw Refusal.notNow }
    }

    @Selector(.quick) @On(priority: 10) func changedSoon(_ event: Changed) { note("soon \(event.value)") }

    @On(priority: -1) func changedLate(_ event: FixtureContract.Changed) { note("late \(event.value)") }

    /// Posts two more while the first one is being delivered.
    @On(priority: 5) func began(_ event: Began) {
        note("began")
        context.events.post(Ended(number: 1))
        context.events.post(Ended(number: 2))
        note("has posted")
    }

    @On func beganToo(_ event: Began) async { note("began too") }

    @On func ended(_ event: Ended) { note("ended \(event.number)") }

    /// Posts many, which a slow handler receives.
    @On func flooded(_ event: Flooded) {
        for number in 0..<event.count { context.events.post(Ended(number: number)) }
    }

    @On(.loads) func opened(_ event: URLOpened) { note("opened \(event.url)") }

    /// Posts itself, without end.
    @On func repeated(_ event: Repeated) async {
        note("repeated")
        context.events.post(Repeated())
    }

    @On func hangs(_ event: Stalled) async throws {
        note("stalled")
        try await Task.sleep(for: .seconds(600))
    }

    @On(priority: -1) func afterHanging(_ event: Stalled) { note("after") }

    @On("org.hslink.fixture/named") func named(_ value: Payload) { note("named \(value["x"] ?? "nothing")") }

    @On(.loads) func wakes(_ event: Woken) { note("woken") }

    @On func started(_ event: HostStarted) {
        whoStarted.withLock { $0 = whoseSession() }
        note("started")
    }

    /// Whose session the handler of `HostStarted` ran in; nil if it was not called.
    @Selector func startedFor() -> String? { whoStarted.withLock { $0 } }

    @On(priority: 1) func activated(_ event: ApplicationActivated) { note("activated") }

    @On(.concurrent) func pressed(_ event: MemoryPressure) { note("pressure \(event.level.rawValue)") }

    private func note(_ text: String) { seen.withLock { $0.append(text) } }
}
