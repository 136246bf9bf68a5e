import ComponentKit

#manifest(
    """
    {
      "name": "StaticRuntimeMain", "version": "1.0.0",
      "classes": [
        { "name": "StaticRuntimeMainLink", "selectors": [
            { "name": "run", "kind": "class" }, { "name": "onMain", "mainActor": true } ] }
      ]
    }
    """)

/// Has a method on the main actor, which nobody serves in a runtime of its own.
final class StaticRuntimeMainLink: LinkClass {
    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<StaticRuntimeMainLink>] = [
        .classMethod("run") { _ in true },
        .mainActorMethod("onMain") { _, _ in true },
    ]
}
