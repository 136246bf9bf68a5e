@testable import ComponentCatalog

extension Manifest {
    /// A component that provides `com.x/1` with these selectors, and has these models: JSON without the outer brackets.
    static func providing(
        _ selectors: String, models: String = "", name: String = "N", version: String = "1.0.0", service: String = ""
    ) throws -> Manifest {
        try ManifestAssembly.manifest(
            """
            {"name": "\(name)", "version": "\(version)", "module": "M",
             "classes": [{"name": "\(name)Link", "provides": ["com.x/1"]}],
             "services": [{"name": "com.x/1", "protocol": "S", "selectors": [\(selectors)]\(service)}],
             "models": [\(models)]}
            """)
    }

    /// A component that was compiled against the same service without providing it.
    static func using(
        _ selectors: String, models: String = "", name: String = "User", requires: String = ""
    ) throws -> Manifest {
        try ManifestAssembly.manifest(
            """
            {"name": "\(name)", "version": "1.0.0", "module": "M",
             "services": [{"name": "com.x/1", "protocol": "S", "selectors": [\(selectors)]}],
             "models": [\(models)], "requires": [\(requires)]}
            """)
    }
}

extension ContractComparison {
    /// Each difference on a line, as in "incompatible a.parameters.p: removed (p: Int)".
    var lines: [String] { differences.map { "\($0.severity) \($0.line)" } }
}
