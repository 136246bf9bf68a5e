@testable import ComponentCatalog

/// A short notation for manifests and for the resulting catalogue.
extension Manifest {
    /// The name has a version after `@` if it is not 1.0.0. In `requires`, components have a range after `@`, classes
    /// have the prefix `#`, services the prefix `$`, and the suffix `?` means optional.
    static func make(
        _ name: String, classes: [String] = [], provides: [String] = [], requires: [String] = []
    ) throws -> Manifest {
        let parts = name.split(separator: "@")
        let requirements = requires.map { text -> String in
            let isOptional = text.hasSuffix("?")
            let text = isOptional ? String(text.dropLast()) : text
            let more = isOptional ? #", "optional": true"# : ""
            if text.hasPrefix("#") { return #"{"class": "\#(text.dropFirst())"\#(more)}"# }
            if text.hasPrefix("$") { return #"{"service": "\#(text.dropFirst())"\#(more)}"# }
            let words = text.split(separator: "@")
            let range = words.count > 1 ? #", "version": "\#(words[1])""# : ""
            return #"{"component": "\#(words[0])"\#(range)\#(more)}"#
        }
        var declarations = classes.map { #"{"name": "\#($0)"}"# }
        if !provides.isEmpty {
            let services = provides.map { "\"\($0)\"" }.joined(separator: ",")
            declarations.append(#"{"name": "\#(parts[0])Link", "provides": [\#(services)]}"#)
        }
        return try ManifestAssembly.manifest(
            """
            {"name": "\(parts[0])", "version": "\(parts.count > 1 ? parts[1] : "1.0.0")",
             "classes": [\(declarations.joined(separator: ","))], "requires": [\(requirements.joined(separator: ","))]}
            """)
    }
}

extension Catalog {
    static func make(_ manifests: [Manifest], hostClasses: Set<String> = []) -> Catalog {
        let classes = hostClasses.sorted().map { ClassDeclaration(name: $0, instances: .shared, selectors: []) }
        return make(manifests, host: HostDeclaration(classes: classes))
    }

    static func make(_ manifests: [Manifest], host: HostDeclaration) -> Catalog {
        Catalog(manifests.map { Candidate(manifest: $0) }, host: host)
    }

    /// The names of the entries that are available, in order.
    var available: [String] { entries.filter { $0.state == .available }.map(\.manifest.name) }

    /// The unmet requirements, as sentences in order.
    var unmet: [String] {
        entries.compactMap { entry in
            if case .unmet(let unmet) = entry.state { unmet.message } else { nil }
        }
    }

    /// The unmet optional requirements, as sentences in order.
    var limitations: [String] {
        entries.flatMap { entry in
            entry.limitations.map { "\(entry.manifest.name) without \($0.requirement): \($0.reason)" }
        }
    }
}
