import ComponentKit

@Component("Twin", version: "1.0.0")
struct TwinLife {}

@LinkClass("TwinLink", instances: .perCall)
final class TwinLink {
    static let rows: [LinkMethod<TwinLink>] = [
        .method("sum") { _, payload in try payload.int("first") + (payload.intIfPresent("second") ?? 10) },
        .asyncMethod("greet") { _, payload in
            let name = try payload.stringIfPresent("name")
            return "Hello, \(name ?? "you")!"
        },
        .classMethod("formats", quick: true) { _ in ["a", "b"] },
        .method("fail") { _, _ -> Payload in throw LinkError(domain: "twin", number: 3, message: "as asked") },
    ]
}
