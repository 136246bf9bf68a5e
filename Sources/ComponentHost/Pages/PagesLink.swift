import ComponentKit

/// The host's own class `hslink.Pages`, which says which page modules there are.
///
/// | class method | payload | answer |
/// |---|---|---|
/// | `modules` | nothing | `{"modules": [{"name", "component", "class", "selector", "kind", "parameters", "problem"}]}` |
///
/// `kind` is "class" for a class method and missing otherwise, as `problem` is for a module without one.
final class PagesLink: LinkClass {
    static let provided = ProvidedClass(PagesLink.self, name: "hslink.Pages")

    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<PagesLink>] = [
        .classMethod("modules") { payload, call -> Payload in
            ["modules": .array(try HostCore.of(call.context).pageModuleInfos().map(\.payload))]
        }
    ]
}
