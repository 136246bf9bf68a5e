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
        /// The value; nil if no origin has one, or if it must not be shown, as that of a key that is not declared.
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

    /// - Parameters:
    ///   - owners: what else keys of the origins may be meant for.
    ///   - remark: what to add to an error about a value that is missing.
    init(of manifest: Manifest, in origins: [ConfigurationOrigin], owners: KeyOwners, remark: String = "") {
        component = manifest.name
        let schema = ConfigurationSchema(of: manifest)
        isDeclared = schema != nil
        if let schema {
            errors = schema.problems.map { $0.text(in: component) }
            check(origins, against: schema, owners: owners, remark: remark)
        }
        addUndeclared(schema, origins, owners: owners)
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

    private mutating func check(
        _ origins: [ConfigurationOrigin], against schema: ConfigurationSchema, owners: KeyOwners, remark: String
    ) {
        var found: [([String], Payload)] = []
        var missing: [ConfigurationSchema.Field] = []
        for field in schema.fields {
            do throws(ConfigurationOrigin.Mismatch) {
                let (value, origin) = try find(field, origins, owners: owners)
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
        missing = missing.filter { isThere($0.path, $0.optionalDepth) }
        let similar = missing.isEmpty ? [] : similarSections(origins, owners)
        for field in missing {
            let problem = "\(field.name(in: component)) is missing: expected \(field.type.words) (\(field.text))"
            errors.append(
                problem + (misspelling(of: field, schema, in: origins, owners: owners, similar: similar) ?? remark))
        }
        let nested = schema.nested.filter { isThere($0.path, $0.optionalDepth) }.map(\.path)
        values = CheckedConfiguration.map(found, nested, at: [])
    }

    /// Returns words about a key that was probably meant to be this one; nil if there is none.
    ///
    /// - Parameter similar: the keys in sections that were probably meant to be that of the component.
    private func misspelling(
        of field: ConfigurationSchema.Field, _ schema: ConfigurationSchema, in origins: [ConfigurationOrigin],
        owners: KeyOwners, similar: [(key: ConfigurationKey, place: String)]
    ) -> String? {
        let known = schema.fields.map(\.key)
        for origin in origins {
            // A file may have very many keys.
            for key in keys(of: origin).prefix(100) {
                guard !known.contains(key), SimilarName.nearest(to: key, in: known) == field.key else { continue }
                return "; \(component).\(key.escaped) in \(origin.name) may be a misspelling of it"
            }
        }
        if let found = similar.first(where: { $0.key.key?.text.isExactly(field.key) == true }) {
            return "; \("\(found.key)".escaped) in \(found.place) may be a misspelling of it"
        }
        for (variable, right) in misspeltVariables(schema, origins, owners: owners) where right?.field == field.key {
            return "; \(variable.escaped) may be a misspelling of \(right?.variable ?? "")"
        }
        return writtenWithSingleDots(field, origins)
    }

    /// Returns the keys of sections that have nearly the name of this component, and that of no other.
    private func similarSections(
        _ origins: [ConfigurationOrigin], _ owners: KeyOwners
    ) -> [(key: ConfigurationKey, place: String)] {
        let others = Set(owners.names.map { ExactText($0) } + [ExactText(component), ExactText(HostSection.name)])
        var isSimilar: [ExactText: Bool] = [:]
        var found: [(ConfigurationKey, String)] = []
        for origin in origins {
            for key in origin.keys ?? [] where !others.contains(key.section) {
                let known = isSimilar[key.section]
                // More of them are no misspellings, but the sections of another program.
                guard known != nil || isSimilar.count < 100 else { continue }
                let answer = known ?? (SimilarName.nearest(to: key.section.text, in: [component]) != nil)
                isSimilar[key.section] = answer
                if answer { found.append((key, origin.name)) }
            }
        }
        return found
    }

    /// Returns words about a key for which the dots in the name of the component are not written twice; nil if there is
    /// none.
    private func writtenWithSingleDots(
        _ field: ConfigurationSchema.Field, _ origins: [ConfigurationOrigin]
    ) -> String? {
        guard component.hasASCII(".") else { return nil }
        let single = "\(component).\(field.key)"
        for case (let origin, .texts) in origins.map({ ($0, $0.form) })
        where (origin.keys ?? []).contains(where: { "\($0)".isExactly(single) && !$0.section.text.isExactly(component) }
        ) {
            let twice = ConfigurationKey([component, field.key]).text
            return "; a dot in the name of a component is written twice: \(twice) in \(origin.name)"
        }
        return nil
    }

    /// Returns the variables of the environment that begin with the name of this component and that it does not read,
    /// with the one that was probably meant and its key.
    private func misspeltVariables(
        _ schema: ConfigurationSchema, _ origins: [ConfigurationOrigin], owners: KeyOwners
    ) -> [(variable: String, right: (variable: String, field: String)?)] {
        var found: [(String, (variable: String, field: String)?)] = []
        for case .variables(let variables) in origins.map(\.form) {
            let fields = schema.fields.map { (variable: variables.name([component] + $0.path), field: $0.key) }
            // A text in the place of a section is an error of its own.
            let sections = schema.fields.flatMap { field in
                field.path.indices.dropFirst().map { variables.name([component] + field.path[..<$0]) }
            }
            let known = Set((fields.map(\.variable) + sections).map { ExactText($0) })
            // The names as a whole are long, so that all would seem close.
            let start = variables.prefix(of: component)
            let ends = fields.map { $0.variable.without(exactPrefix: start) }
            for variable in owners.unknownVariables(of: component, besides: known, among: variables) {
                let right = SimilarName.nearest(to: variable.without(exactPrefix: start), in: ends)
                found.append((variable, right.flatMap { end in fields.first { $0.variable.isExactly(start + end) } }))
            }
        }
        return found
    }

    /// The keys that an origin lists for this component, without its name.
    private func keys(of origin: ConfigurationOrigin) -> some Sequence<String> {
        (origin.keys ?? []).lazy.filter { $0.section.text.isExactly(component) }.compactMap { $0.key?.text }
    }

    private func find(
        _ field: ConfigurationSchema.Field, _ origins: [ConfigurationOrigin], owners: KeyOwners
    ) throws(ConfigurationOrigin.Mismatch) -> (ConfigurationOrigin.Found?, ConfigurationOrigin?) {
        for origin in origins {
            if let found = try owners.find(field.path, of: component, as: field.type, in: origin) {
                return (found, origin)
            }
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

    private mutating func addUndeclared(
        _ schema: ConfigurationSchema?, _ origins: [ConfigurationOrigin], owners: KeyOwners
    ) {
        let known = schema?.fields.map(\.key) ?? []
        // Sections without keys: a model in a field whose keys are all left out.
        let sections = Set(
            schema?.fields.flatMap { field in
                field.path.indices.dropFirst().map { ExactText(field.path[..<$0].joined(separator: ".")) }
            } ?? [])
        var listed = Set(known.map { ExactText($0) })
        for origin in origins {
            for key in keys(of: origin) {
                guard !sections.contains(ExactText(key)), listed.insert(ExactText(key)).inserted else { continue }
                entries.append(
                    Entry(
                        // It may be a secret: its key may be misspelt, or the component may declare nothing.
                        key: key, type: nil, value: nil, place: origin.name, isSecret: origin.isSecret))
                guard schema != nil else { continue }
                guard warnings.count < 20 else { continue }
                let similar = SimilarName.nearest(to: key, in: known).map { "; did you mean \($0)?" } ?? ""
                warnings.append(
                    "\(component).\(key.escaped) in \(origin.name) has no effect: the component does not read it"
                        + similar)
            }
        }
        guard let schema else { return }
        for (variable, right) in misspeltVariables(schema, origins, owners: owners).prefix(20) {
            let similar = right.map { "; did you mean \($0.variable)?" } ?? ""
            warnings.append("\(variable.escaped) has no effect: the component \(component) does not read it\(similar)")
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
        if isFloat, let number = try? value.double(), number.isFinite, Float(number).isInfinite {
            return "expected a number that a Float can hold (\(text))"
        }
        guard let allowed else { return nil }
        let text = (try? value.string()) ?? (try? value.int()).map { "\($0)" } ?? ""
        guard !allowed.containsExactly(text) else { return nil }
        let found = isSecret ? "" : ", found \(text.quoted(limit: 60))"
        return "expected one of \(allowed.joined(separator: ", "))\(found)"
    }
}
