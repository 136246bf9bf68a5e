import ComponentKit
import PageKit

/// Page modules whose views are in memory, and the pages that have them.
@LinkClass("BenchPages", provides: (any PageSource).self)
final class BenchPages: PageSource {
    private let rows = (0..<20).map { "row \($0)" }
    private let changed = Lock(0)
    private let count = Lock(0)
    private let events: Events

    init(_ context: ComponentContext) { events = context.events }

    @PageModule("bench.rows")
    func rows(_ context: PageContext) -> some View {
        List(rows) { row in
            Row(row, detail: "a city").key(row).action(.open("studio://owner/address/1"))
        }
    }

    /// A list of 1,000 rows, of which another one is different each time.
    @PageModule("bench.thousand")
    func thousand(_ context: PageContext) -> some View {
        let number = changed.withLock { number in
            number += 1
            return number
        }
        return List(0..<1_000) { row in
            Row(row == 500 ? "changed \(number)" : "row \(row)", detail: "a city").key(row)
        }
    }

    /// A number, and a button that changes it in all sessions.
    @PageModule("bench.counter")
    func counter(_ context: PageContext) -> some View {
        Card("Counter") {
            Text("count \(count.withLock { $0 })")
            Button("Add one", .call("add"))
        }
    }

    @Selector func add() {
        count.withLock { $0 += 1 }
        events.post(PageModuleChanged("bench.counter"))
    }

    func pages() throws -> [PageFile] {
        let sections = (0..<6).map { #"{"module": "bench.rows", "name": "s\#($0)"}"# }.joined(separator: ", ")
        return [
            PageFile(name: "six.json", text: #"{"page": "bench-six", "sections": [\#(sections)]}"#),
            PageFile(
                name: "counter.json", text: #"{"page": "bench-counter", "sections": [{"module": "bench.counter"}]}"#),
            PageFile(
                name: "thousand.json", text: #"{"page": "bench-thousand", "sections": [{"module": "bench.thousand"}]}"#),
        ]
    }
}
