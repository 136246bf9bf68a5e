import ComponentKit

/// The host's own class `hslink.Schemas`, which describes the methods of components as JSON Schema does, for programs in
/// other languages.
///
/// | class method | payload | answer |
/// |---|---|---|
/// | `all` | `{"references": "#/components/schemas/"}` | `{"methods": [{"component", "class", "selector", "kind", "summary", "parameters", "result"}], "definitions": {NAME: SCHEMA}}` |
///
/// `parameters` is the schema of the payload, `result` that of what the method answers, both in the JSON that
/// ``ComponentKit/Payload`` reads and writes; `{}` is anything. `references` is what references to `definitions` begin
/// with: "#/$defs/" without it. Handlers of events, page modules and interceptors, which others do not call, are left
/// out. No component is loaded.
final class SchemasLink: LinkClass {
    static let provided = ProvidedClass(SchemasLink.self, name: "hslink.Schemas")

    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<SchemasLink>] = [
        .classMethod("all") { payload, call -> Payload in
            let payload = try payload.copy()
            try payload.refuseKeys(besides: ["references"])
            var schema = JSONSchema(referringTo: try payload.stringIfPresent("references") ?? "#/$defs/")
            let manifests = try HostCore.of(call.context).registry.contents.withLock { $0.components }.map(\.manifest)
            var methods: [Payload] = []
            for manifest in manifests.sorted(by: { $0.name < $1.name }) {
                methods += schema.methods(of: manifest)
            }
            schema.complete()
            let definitions = schema.definitions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            return ["methods": .array(methods), "definitions": .map(definitions)]
        }
    ]
}

extension JSONSchema {
    fileprivate mutating func methods(of manifest: Manifest) -> [Payload] {
        let models = ModelPool(manifest.models)
        let scope = ModelPool.Scope(module: manifest.module, owner: "")
        var methods: [Payload] = []
        for declaration in manifest.classes.sorted(by: { $0.name < $1.name }) {
            for selector in declaration.selectors.sorted(by: {
                ($0.name, $0.kind.rawValue) < ($1.name, $1.kind.rawValue)
            })
            where selector.handles == nil && selector.pageModule == nil && selector.intercepts == nil {
                var entries: [(String, Payload)] = [
                    ("component", .string(manifest.name)), ("class", .string(declaration.name)),
                    ("selector", .string(selector.name)), ("kind", .string(selector.kind.rawValue)),
                ]
                if let summary = selector.summary { entries.append(("summary", .string(summary))) }
                // A manifest without parameters may leave them out.
                let parameters =
                    selector.parameters.isEmpty ? .map([]) : object(selector.parameters, in: scope, of: models)
                let result = selector.result.map { schema(of: WrittenType($0), in: scope, of: models) } ?? .map([])
                methods.append(.map(entries + [("parameters", parameters), ("result", result)]))
            }
        }
        return methods
    }
}
