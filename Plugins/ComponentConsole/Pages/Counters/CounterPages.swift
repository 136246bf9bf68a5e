import ComponentKit
import HostContract
import PageKit

/// What the pages with counters and times show.
@LinkClass("ConsoleCounters")
final class CounterPages {
    private let console: ComponentConsole
    /// The method whose durations people want to see.
    private let methods = SessionValues<String>()
    /// Whether people want to see all methods.
    private let showsAll = SessionValues<Bool>()

    init(_ context: ComponentContext) throws { console = try context.console }

    /// All methods that have been called.
    @PageModule("console.counters")
    func counters(_ context: PageContext) async throws -> some View {
        CounterViews.counters(try await list(context), showsAll: showsAll[] ?? false, in: context)
    }

    /// How long the calls of a method took.
    @PageModule("console.counters.histogram")
    func histogram(_ context: PageContext) async throws -> some View {
        CounterViews.histogram(HistogramState(try await list(context), of: methods[]))
    }

    private func list(_ context: PageContext) async throws -> CounterList {
        try await console.watch.follow(context) { [host = console.host] in try await host.counters() }
    }

    /// Chooses the method whose durations are shown in the session of the caller.
    @Selector func choose(method: String) {
        methods[] = method
        console.events.postChosen(.histogram)
    }

    /// Shows all methods in the session of the caller.
    @Selector func showAll() {
        showsAll[] = true
        console.events.postChosen(.counters)
    }

    /// How long components took to start, to handle events and to stop.
    @PageModule("console.times")
    func times(_ context: PageContext) async throws -> some View {
        CounterViews.times(try await console.host.service().times())
    }
}

/// Which durations a histogram shows.
struct HistogramState: Hashable, Sendable {
    /// The methods to choose from, those with the most calls first.
    var methods: [String]
    /// The one that is shown; nil if no method has been called.
    var shown: CounterRow?

    /// The most methods to choose from.
    static let most = 100

    /// - Parameters:
    ///   - counters: all methods, those with the most calls first.
    ///   - chosen: the chosen one; nil for the first that is not called because pages are shown.
    init(_ counters: CounterList, of chosen: String?) {
        var names: Set<String> = []
        let methods = counters.methods.filter { $0.call == $0.call.oneLine(600) && names.insert($0.call).inserted }
            .prefix(HistogramState.most)
        self.methods = methods.map(\.call)
        shown = methods.first { $0.call == chosen } ?? methods.first { counters.others.contains($0) } ?? methods.first
    }
}
