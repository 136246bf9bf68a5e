import ComponentKit

@Component(version: "1.0.0")
struct StaticRuntimeMain {}

/// Has a method on the main actor, which nobody serves in a runtime of its own.
@LinkClass
final class StaticRuntimeMainLink {
    @Selector static func run() -> Bool { true }
    @Selector @MainActor func onMain() -> Bool { true }
}
