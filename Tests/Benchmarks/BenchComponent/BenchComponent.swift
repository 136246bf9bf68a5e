import ComponentKit
import PageKit

/// The methods that the benchmarks call.
@Component(version: "1.0.0", posts: [PageModuleChanged.self])
struct BenchComponent {}

@LinkClass
final class BenchLink {
    private let context: ComponentContext

    init(_ context: ComponentContext) { self.context = context }

    static let rows: [LinkMethod<BenchLink>] = [
        .method("sum", quick: true) { _, payload in
            try payload.int("first") + payload.int("second") + payload.int("third")
        },
        .method("mixed", quick: true) { _, payload in
            try payload.string("name").utf8.count + payload.int("limit") + (payload.bool("active") ? 1 : 0)
        },
        .method("length", quick: true) { _, payload in try payload.string("text").utf8.count },
        .method("echo") { _, payload in try payload.copy() },
        .method("fail") { _, _ -> Payload in throw LinkError(domain: "bench", number: 1, message: "as asked") },
        .asyncMethod("asyncSum") { _, payload in try payload.int("first") + payload.int("second") },
        .deferredMethod("later") { _, payload, reply in
            let value = try payload.copy()
            Task { reply.succeed(value) }
        },
        .method("makeCounter") { bench, _ in bench.context.link.object(BenchPerCall(bench.context)) },
        .method("apply") { _, payload in
            let arguments = try payload.copy()
            return try arguments.object("closure").callAndWait("", arguments["argument"] ?? .null)
        },
    ]
}

@LinkClass(instances: .perCall)
final class BenchPerCall {
    init(_ context: ComponentContext) {}

    static let rows: [LinkMethod<BenchPerCall>] = [
        .method("sum", quick: true) { _, payload in
            try payload.int("first") + payload.int("second") + payload.int("third")
        }
    ]
}

/// The code that the macros generate for `BenchTyped.area`, written by hand.
@LinkClass
final class BenchByHand {
    init(_ context: ComponentContext) {}

    static let rows: [LinkMethod<BenchByHand>] = [
        .method("area") { _, payload -> Payload in
            let (width, height) = (try payload.double("width"), try payload.double("height"))
            return ["width": Payload(width), "height": Payload(height), "square": Payload(width * height)]
        }
    ]
}
