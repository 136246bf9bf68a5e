import BenchContract
import ComponentKit
import Synchronization

// Ten quick handlers of one event, in five classes.

@LinkClass
final class BenchHandlers1 {
    private let sum = Atomic(0)

    init(_ context: ComponentContext) {}

    @Selector(.quick) @On func first(_ event: BenchEvent) { sum.add(event.number, ordering: .relaxed) }
    @Selector(.quick) @On func second(_ event: BenchEvent) { sum.add(event.number, ordering: .relaxed) }
}

@LinkClass
final class BenchHandlers2 {
    private let sum = Atomic(0)

    init(_ context: ComponentContext) {}

    @Selector(.quick) @On func first(_ event: BenchEvent) { sum.add(event.number, ordering: .relaxed) }
    @Selector(.quick) @On func second(_ event: BenchEvent) { sum.add(event.number, ordering: .relaxed) }
}

@LinkClass
final class BenchHandlers3 {
    private let sum = Atomic(0)

    init(_ context: ComponentContext) {}

    @Selector(.quick) @On func first(_ event: BenchEvent) { sum.add(event.number, ordering: .relaxed) }
    @Selector(.quick) @On func second(_ event: BenchEvent) { sum.add(event.number, ordering: .relaxed) }
}

@LinkClass
final class BenchHandlers4 {
    private let sum = Atomic(0)

    init(_ context: ComponentContext) {}

    @Selector(.quick) @On func first(_ event: BenchEvent) { sum.add(event.number, ordering: .relaxed) }
    @Selector(.quick) @On func second(_ event: BenchEvent) { sum.add(event.number, ordering: .relaxed) }
}

@LinkClass
final class BenchHandlers5 {
    private let sum = Atomic(0)

    init(_ context: ComponentContext) {}

    @Selector(.quick) @On func first(_ event: BenchEvent) { sum.add(event.number, ordering: .relaxed) }
    @Selector(.quick) @On func second(_ event: BenchEvent) { sum.add(event.number, ordering: .relaxed) }
}
