import ComponentKit

#manifest(
    """
    {
      "name": "Greeter", "version": "1.0.0", "summary": "A component of a package of its own.",
      "classes": [
        { "name": "GreeterLink", "selectors": [
            { "name": "greet", "parameters": { "name": "string" }, "result": "string" },
            { "name": "sumLater", "parameters": { "a": "int", "b": "int" }, "result": "int", "async": true }
          ] }
      ]
    }
    """)

final class GreeterLink: LinkClass {
    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<GreeterLink>] = [
        .method("greet") { _, payload in "Hello, \(try payload.string("name"))!" },
        .asyncMethod("sumLater") { _, payload in
            await Task.yield()
            return try payload.int("a") + payload.int("b")
        },
    ]
}
