import ComponentKit
import HostContract
import Routing

/// The description of everything that programs may ask for, in OpenAPI 3.1.
struct OpenAPIDocument {
    let payload: Payload

    /// What references to models begin with.
    static let references = "#/components/schemas/"

    /// - Parameter schemas: what the host says of the methods, with ``references``.
    init(_ schemas: MethodSchemas, _ options: ProgramOptions) {
        var paths: [(String, Payload)] = []
        var models = ModelNames(schemas)
        for method in schemas.methods {
            guard options.allows(method.class, method.selector) else { continue }
            let path = "/call/\(method.class.percentEncodedForURL)/\(method.selector.percentEncodedForURL)"
            // An instance comes before a class method of the same name.
            let isInstance = method.kind == "object"
            guard isInstance || !paths.contains(where: { $0.0 == path }) else { continue }
            paths.removeAll { $0.0 == path }
            models.add(method.parameters)
            models.add(method.result)
            paths.append((path, ["post": OpenAPIDocument.operation(method)]))
        }
        if options.urls { paths.append(("/open", ["get": OpenAPIDocument.open])) }
        if options.metrics { paths.append(("/metrics", ["get": OpenAPIDocument.metrics])) }
        var definitions: [(String, Payload)] = [("Problem", OpenAPIDocument.problem)]
        definitions += models.definitions
        payload = .map([
            ("openapi", "3.1.0"),
            (
                "info",
                ["title": "HSLink", "version": "1", "description": "Methods of the components of this host."]
            ),
            ("security", [["token": .array([])]]), ("paths", .map(paths)),
            (
                "components",
                [
                    "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
                    "schemas": .map(definitions),
                ]
            ),
        ])
    }

    private static func operation(_ method: MethodSchema) -> Payload {
        var entries: [(String, Payload)] = [
            ("operationId", .string("\(method.class).\(method.selector)")), ("tags", [.string(method.component)]),
        ]
        if let summary = method.summary { entries.append(("summary", .string(summary))) }
        let parameters = method.parameters
        let isNeeded = parameters["required"] != nil
        entries += [
            ("parameters", [timeout]),
            (
                "requestBody",
                ["required": .bool(isNeeded), "content": ["application/json": ["schema": parameters]]]
            ), ("responses", responses(method.result)),
        ]
        return .map(entries)
    }

    private static let timeout: Payload = [
        "name": "timeout", "in": "query", "description": "How many seconds the call may take.",
        "schema": ["type": "number", "minimum": 1, "maximum": 300, "default": 30],
    ]

    private static func responses(_ value: Payload) -> Payload {
        responses(
            "What the method has answered.", type: "application/json",
            schema: ["type": "object", "properties": ["value": value], "required": ["value"]])
    }

    private static func responses(_ description: String, type: String, schema: Payload) -> Payload {
        var entries: [(String, Payload)] = [
            ("200", ["description": .string(description), "content": .map([(type, ["schema": schema] as Payload)])])
        ]
        for (status, text) in problems {
            entries.append(
                (
                    status,
                    [
                        "description": .string(text),
                        "content": [
                            "application/problem+json": ["schema": ["$ref": .string("\(references)Problem")]]
                        ],
                    ]
                ))
        }
        return .map(entries)
    }

    private static let problems = [
        ("400", "The request cannot be read, or does not fit."), ("401", "The token is missing or wrong."),
        ("403", "The URL may not be opened."), ("404", "There is no such method."),
        ("413", "The body is too large."), ("415", "The body is not JSON."), ("422", "The method has failed."),
        ("502", "The component gave an invalid answer."), ("503", "The component cannot be called now."),
        ("504", "The method has taken too long."),
    ]

    private static let open: Payload = [
        "operationId": "open", "summary": "Opens a URL with a public route.",
        "parameters": [
            ["name": "url", "in": "query", "required": true, "schema": ["type": "string"]], timeout,
        ], "responses": responses(.map([])),
    ]

    private static let metrics: Payload = [
        "operationId": "metrics", "summary": "The host's counters of calls, for Prometheus.",
        "responses": responses("The counters.", type: "text/plain", schema: ["type": "string"]),
    ]

    private static let problem: Payload = [
        "type": "object", "description": "Problem details (RFC 9457).",
        "properties": [
            "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"],
            "detail": ["type": "string"], "code": ["type": "string"], "class": ["type": "string"],
            "selector": ["type": "string"], "component": ["type": "string"], "domain": ["type": "string"],
            "number": ["type": "integer"],
        ], "required": ["type", "title", "status", "detail"],
    ]
}

/// The models that some schemas refer to, and those that these refer to: a program is told of what it may use only.
private struct ModelNames {
    /// Sorted by name.
    var definitions: [(String, Payload)] { found.sorted { $0.0 < $1.0 } }

    private var found: [(String, Payload)] = []
    private var names: Set<[UInt8]> = []
    private let schemas: MethodSchemas

    init(_ schemas: MethodSchemas) { self.schemas = schemas }

    mutating func add(_ schema: Payload) {
        var pending = [schema]
        while let next = pending.popLast() {
            guard let entries = try? next.entries() else {
                pending += (try? next.items()) ?? []
                continue
            }
            for entry in entries {
                pending.append(entry.value)
                guard entry.key == "$ref", let reference = try? entry.value.string() else { continue }
                let name = String(reference.dropFirst(OpenAPIDocument.references.count))
                guard let model = schemas.definitions[name], names.insert(Array(name.utf8)).inserted else { continue }
                found.append((name, model))
                pending.append(model)
            }
        }
    }
}
