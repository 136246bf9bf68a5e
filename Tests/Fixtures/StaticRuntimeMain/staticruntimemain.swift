import ComponentKit

@Component(version: "1.0.0")
struct StaticRuntimeMain {}

/// Has a main actor method, for which a separate runtime has no main thread.
@LinkClass
final class StaticRuntimeMainLink {
    @Selector static func run() -> Bool { true }
    @Selector @MainActor func onMain() -> Bool { true }
}
