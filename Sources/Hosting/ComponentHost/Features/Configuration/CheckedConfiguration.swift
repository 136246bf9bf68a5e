import CHSLink
import ComponentCatalog
import ComponentKit
import ManifestRules
import SystemSupport

/// The configuration of one component at one time, checked against what the component declares: the value of each key
/// that its model has, and what is wrong.
struct CheckedConfiguration: Sendable {
    /// A key and its value.
    struct Entry: Sendable {
        /// The key, with dots between its parts.
        let key: String
        /// The declared type with its default value; nil if the key is not declared.
        let type: String?
        /// The value; nil if no origin has one, or if it must not be shown.
        let value: Payload?
        /// The file, the environment variable or another origin of the value; nil if no origin has one.
        let place: String?
        /// Whether the value must not be shown.
        let isSecret: Bool
    }

    /// The name of the component.
    let component: String
    /// The declared keys in the order of the model, then the others that origins list.
    private(set) var entries: [Entry] = []
    /// Why the component cannot read its configuration.
    private(set) var errors: [String] = []
    /// What is probably a mistake but has no effect.
    private(set) var warnings: [String] = []
    /// The values of the model, without those that are missing.
    private(set) var values = Payload.map([(String, Payload)]())
    /// Whether the component declares what it reads.
    let isDeclared: Bool

    init(of manifest: Manifest, in origins: [ConfigurationOrigin]) {
        component = manifest.name
        let schema = ConfigurationSchema(of: manifest)
        isDeclared = schema != nil
        if let schema {
            errors = schema.problems.map { $0.text(in: component) }
            check(origins, against: schema)
        }
        addUndeclared(schema, origins)
    }

    /// The host's own section.
    init(hostEntries: [Entry], errors: [String], warnings: [String]) {
        component = HostSection.name
        entries = hostEntries
        self.errors = errors
        self.warnings = warnings
        isDeclared = true
    }

    // MARK: - Declared keys

    private mutating func check(_ origins: [ConfigurationOrigin], against schema: ConfigurationSchema) {
        var found: [([String], Payload)] = []
        var missing: [ConfigurationSchema.Field] = []
        for field in schema.fields {
            do throws(ConfigurationOrigin.Mismatch) {
                let (value, origin) = try find(field, origins)
                let isSecret = field.isSecret || origin?.isSecret == true
                entries.append(
                    Entry(
                        key: field.key, type: field.text, value: isSecret ? nil : value?.value, place: value?.place,
                        isSecret: isSecret))
                guard let value else {
                    if !field.isOptional { missing.append(field) }
                    continue
                }
                if let problem = field.problem(with: value.value, isSecret: isSecret) {
                    errors.append("\(field.name(in: component)) in \(value.place): \(problem)")
                }
                found.append((field.path, value.value))
            } catch {
                entries.append(
                    Entry(key: field.key, type: field.text, value: nil, place: error.place, isSecret: field.isSecret))
                let problem = error.message(
                    field.name(in: component), expected: "\(field.type.words) (\(field.text))")
                // A wrong section is found for each of its fields.
                if !errors.contains(problem) { errors.append(problem) }
            }
        }
        func isThere(_ path: [String], _ optionalDepth: Int) -> Bool {
            let model = path.prefix(optionalDepth)
            return model.isEmpty || found.contains { $0.0.startsExactly(with: model) }
        }
        for field in missing where isThere(field.path, field.optionalDepth) {
            let problem = "\(field.name(in: component)) is missing: expected \(field.type.words) (\(field.text))"
            errors.append(problem + misspelling(of: field, schema, origins))
        }
        let nested = schema.nested.filter { isThere($0.path, $0.optionalDepth) }.map(\.path)
        values = CheckedConfiguration.map(found, nested, at: [])
    }

    /// Returns words about a key that was probably meant to be this one; empty if there is none.
    private func misspelling(
        of field: ConfigurationSchema.Field, _ schema: ConfigurationSchema, _ origins: [ConfigurationOrigin]
    ) -> String {
        let start = component + "."
        let known = schema.fields.map(\.key)
        for origin in origins {
            // A file may have very many keys.
            for key in (origin.keys ?? []).lazy.filter({ $0.hasExactPrefix(start) }).prefix(100) {
                let key = key.without(exactPrefix: start)
                guard !known.contains(key), SimilarName.nearest(to: key, in: known) == field.key else { continue }
                return "; \(component).\(key.escaped) in \(origin.name) may be a misspelling of it"
            }
        }
        return ""
    }

    private func find(
        _ field: ConfigurationSchema.Field, _ origins: [ConfigurationOrigin]
    ) throws(ConfigurationOrigin.Mismatch) -> (ConfigurationOrigin.Found?, ConfigurationOrigin?) {
        for origin in origins {
            if let found = try origin.find([component] + field.path, field.type) { return (found, origin) }
        }
        return (nil, nil)
    }

    /// Makes nested maps of values, and of models without values.
    private static func map(_ found: [([String], Payload)], _ nested: [[String]], at path: [String]) -> Payload {
        let depth = path.count
        let found = found.filter { $0.0.startsExactly(with: path) }
        let nested = nested.filter { $0.startsExactly(with: path) }
        var entries: [(String, Payload)] = []
        var known: Set<ExactText> = []
        for (keys, value) in found where keys.count == depth + 1 { entries.append((keys[depth], value)) }
        for keys in found.map(\.0) + nested where keys.count > depth && known.insert(ExactText(keys[depth])).inserted {
            guard !entries.contains(where: { $0.0.isExactly(keys[depth]) }) else { continue }
            entries.append((keys[depth], map(found, nested, at: path + [keys[depth]])))
        }
        return .map(entries)
    }

    // MARK: - Other keys

    private mutating func addUndeclared(_ schema: ConfigurationSchema?, _ origins: [ConfigurationOrigin]) {
        let start = component + "."
        let known = schema?.fields.map(\.key) ?? []
        // Sections without keys: a model in a field whose keys are all left out.
        let sections = Set(
            schema?.fields.flatMap { field in
                field.path.indices.dropFirst().map { ExactText(field.path[..<$0].joined(separator: ".")) }
            } ?? [])
        var listed = Set(known.map { ExactText($0) })
        for origin in origins {
            for key in origin.keys ?? [] where key.hasExactPrefix(start) {
                let key = key.without(exactPrefix: start)
                guard !sections.contains(ExactText(key)), listed.insert(ExactText(key)).inserted else { continue }
                entries.append(
                    Entry(
                        // It may be a secret whose key is misspelt.
                        key: key, type: nil,
                        value: schema != nil || origin.isSecret ? nil : origin.shown([component], key),
                        place: origin.name, isSecret: origin.isSecret))
                guard schema != nil else { continue }
                guard warnings.count < 20 else { continue }
                let similar = SimilarName.nearest(to: key, in: known).map { "; did you mean \($0)?" } ?? ""
                warnings.append(
                    "\(component).\(key.escaped) in \(origin.name) has no effect: the component does not read it"
                        + similar)
            }
        }
    }

    /// Returns the error with which the component cannot start; nil if its configuration is valid.
    var error: LinkError? {
        guard !errors.isEmpty else { return nil }
        return LinkError(
            configuration: HSLINK_CONFIGURATION_INVALID,
            "its configuration is not valid: \(errors.joined(separator: "; "))")
    }
}

extension ConfigurationSchema.Field {
    fileprivate func name(in component: String) -> String { "\(component).\(key)" }

    fileprivate func problem(with value: Payload, isSecret: Bool) -> String? {
        if let range, let number = try? value.int(), !range.contains(number) {
            return "expected \(range.lowerBound) to \(range.upperBound) (\(text))"
        }
        guard let allowed else { return nil }
        let text = (try? value.string()) ?? (try? value.int()).map { "\($0)" } ?? ""
        guard !allowed.containsExactly(text) else { return nil }
        let found = isSecret ? "" : ", found \(text.quoted(limit: 60))"
        return "expected one of \(allowed.joined(separator: ", "))\(found)"
    }
}

extension ConfigurationOrigin {
    /// Returns the value of a key whose type is not declared, for display.
    fileprivate func shown(_ section: [String], _ key: String) -> Payload? {
        let path = section + key.exactParts(between: ".", omittingEmpty: false)
        for type in ConfigurationType.guesses {
            if let found = try? find(path, type) { return found.value }
        }
        return nil
    }
}

extension ConfigurationType {
    /// The types that a value of an unknown type is tried as.
    fileprivate static let guesses: [ConfigurationType] = [
        .scalar(.int), .scalar(.double), .scalar(.bool), .scalar(.string), .list(of: .int), .list(of: .double),
        .list(of: .bool), .list(of: .string),
    ]
}
