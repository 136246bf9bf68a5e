import ComponentKit
import Synchronization

@Component(version: "1.0.0")
struct StaticRuntime {}

/// Methods of the forms that use most of the runtime.
@LinkClass
final class StaticRuntimeLink {
    private let context: ComponentContext
    private let calls = Atomic<Int>(0)

    init(_ context: ComponentContext) { self.context = context }

    static let rows: [LinkMethod<StaticRuntimeLink>] = [
        .method("echo") { _, payload in try payload.copy() },
        .method("sumQuick", quick: true) { _, payload in try payload.int("a") + payload.int("b") },
        .asyncMethod("sumLater") { _, payload in
            let numbers = [try payload.int("a"), try payload.int("b")]
            return await withTaskGroup(of: Int.self) { group in
                for number in numbers {
                    group.addTask {
                        await Task.yield()
                        return number
                    }
                }
                return await group.reduce(0, +)
            }
        },
        .asyncMethod("ask") { link, payload in
            try await link.context.link.call(
                payload.string("class"), payload.string("selector"), payload["payload"] ?? .null)
        },
        .method("count") { link, _ in link.calls.add(1, ordering: .relaxed).newValue },
        .method("adder") { link, payload in
            let amount = try payload.int("amount")
            return link.context.link.closure { try $0.int() + amount }
        },
        .method("fail") { _, _ -> Payload in throw OwnError() },
    ]
}

struct OwnError: Error, CustomStringConvertible {
    var description: String { "thrown by another Swift runtime" }
}
