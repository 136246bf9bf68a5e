import ComponentKit

/// Written with macros.
@Component("Twin", version: "1.0.0", layer: .business, requires: [.component("Other", ">=1.0.0", optional: true)])
struct TwinLife {}

/// Answers.
@LinkClass("TwinLink", instances: .perCall)
final class TwinLink {
    /// Adds up.
    @Selector func sum(first: Int, second: Int = 10) -> Int { first + second }
    @Selector func greet(_ name: String?) async throws -> String { "Hello, \(name ?? "you")!" }
    @Selector(.quick) static func formats() -> [String] { ["a", "b"] }
    @Selector func fail() throws { throw LinkError(domain: "twin", number: 3, message: "as asked") }
}
