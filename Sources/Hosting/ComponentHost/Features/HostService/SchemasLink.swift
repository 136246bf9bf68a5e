import ComponentCatalog
import ComponentKit
import HostContract

/// The host's own class `hslink.Schemas`, which describes the methods of components as JSON Schema does, for programs in
/// other languages. Swift code uses `HostSchemasServiceClient` of `HostContract`.
///
/// | class method | payload | answer |
/// |---|---|---|
/// | `all` | `{"references": "#/components/schemas/"}` | `{"methods": [{"component", "class", "selector", "kind", "summary", "parameters", "result"}], "definitions": {NAME: SCHEMA}}` |
///
/// `parameters` is the schema of the payload, `result` that of what the method answers, both in the JSON that
/// ``ComponentKit/Payload`` reads and writes; `{}` is anything. `references` is what references to `definitions` begin
/// with: "#/$defs/" without it. Handlers of events, page modules and interceptors, which others do not call, are left
/// out. No component is loaded.
final class SchemasLink: LinkClass, HostSchemasService {
    static let provided = ProvidedClass(SchemasLink.self, name: "hslink.Schemas")
    static let services = [HostSchemasServiceClient.__service.name]
    static let methods = HostSchemasServiceTable<SchemasLink>.methods

    private let core: HostCore

    init(_ context: ComponentContext) throws { core = try HostCore.of(context) }

    func all(references: String?) -> MethodSchemas {
        var schema = JSONSchema(referringTo: references ?? "#/$defs/")
        let manifests = core.registry.contents.withLock { $0.components }.map(\.manifest)
        var methods: [MethodSchema] = []
        for manifest in manifests.sorted(by: { $0.name < $1.name }) {
            methods += schema.methods(of: manifest)
        }
        schema.complete()
        return MethodSchemas(methods: methods, definitions: schema.definitions)
    }
}

extension JSONSchema {
    fileprivate mutating func methods(of manifest: Manifest) -> [MethodSchema] {
        let models = ModelPool(manifest.models)
        let scope = ModelPool.Scope(module: manifest.module, owner: "")
        var methods: [MethodSchema] = []
        for declaration in manifest.classes.sorted(by: { $0.name < $1.name }) {
            for selector in declaration.selectors.sorted(by: {
                ($0.name, $0.kind.rawValue) < ($1.name, $1.kind.rawValue)
            })
            where selector.handles == nil && selector.pageModule == nil && selector.intercepts == nil {
                // A manifest without parameters may leave them out.
                let parameters =
                    selector.parameters.isEmpty ? .map([]) : object(selector.parameters, in: scope, of: models)
                let result = selector.result.map { schema(of: WrittenType($0), in: scope, of: models) } ?? .map([])
                methods.append(
                    MethodSchema(
                        component: manifest.name, class: declaration.name, selector: selector.name,
                        kind: selector.kind.rawValue, summary: selector.summary, parameters: parameters,
                        result: result))
            }
        }
        return methods
    }
}
