import ComponentKit

/// The host's own class `hslink.Pages`, which says which page modules there are.
///
/// | class method | payload | answer |
/// |---|---|---|
/// | `modules` | nothing | `{"modules": [{"name", "component", "class", "selector", "kind", "condition", "parameters", "data", "problem"}]}` |
/// | `check` | `{"module": "owner.addresses", "data": {…}}` | `{"problems": [{"path": ["limit"], "expected", "found"}]}` |
///
/// `parameters` and `data`, the fields of the module's model, are arrays of `{"name", "type"}` in their order.
/// `kind` is "class" for a class method and missing otherwise, as `problem` is for a module without one, and `condition`
/// and `data` for one that answers a view and takes no data. `check` compares the data that a page has for a module with
/// the model in its manifest, and finds nothing wrong with a module that does not exist. Neither loads a component.
final class PagesLink: LinkClass {
    static let provided = ProvidedClass(PagesLink.self, name: "hslink.Pages")

    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<PagesLink>] = [
        .classMethod("modules") { payload, call -> Payload in
            ["modules": .array(try HostCore.of(call.context).pageModuleInfos().map(\.payload))]
        },
        .classMethod("check") { payload, call -> Payload in
            let payload = try payload.copy()
            try payload.refuseKeys(besides: ["module", "data"])
            let problems = try HostCore.of(call.context).pageDataProblems(
                of: try payload.string("module"), payload["data"])
            return ["problems": .array(problems.map(\.placePayload))]
        },
    ]
}
