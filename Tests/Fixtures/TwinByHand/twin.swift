import ComponentKit

#manifest(
    """
    {
      "name": "Twin", "version": "1.0.0", "layer": "business", "summary": "Written with macros.",
      "classes": [
        { "name": "TwinLink", "instances": "perCall", "summary": "Answers.", "selectors": [
            { "name": "sum", "parameters": { "first": "Int", "second": "Int = 10" }, "result": "Int",
              "summary": "Adds up." },
            { "name": "greet", "parameters": { "name": "String?" }, "result": "String", "async": true },
            { "name": "formats", "kind": "class", "result": "[String]", "quick": true },
            { "name": "fail" } ] } ],
      "requires": [{ "component": "Other", "version": ">=1.0.0", "optional": true }]
    }
    """)

final class TwinLink: LinkClass {
    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<TwinLink>] = [
        .method("sum") { _, payload in try payload.int("first") + (payload.intIfPresent("second") ?? 10) },
        .asyncMethod("greet") { _, payload in
            let name = try payload.stringIfPresent("name")
            return "Hello, \(name ?? "you")!"
        },
        .classMethod("formats", quick: true) { _ in ["a", "b"] },
        .method("fail") { _, _ -> Payload in throw LinkError(domain: "twin", number: 3, message: "as asked") },
    ]
}
