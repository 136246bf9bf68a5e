import ComponentCatalog
import ComponentKit
import SystemSupport

/// Which components a key may be meant for that is written as one text: as a variable of the environment, on the command
/// line, or as the name of a file. A component must not read what is meant for another one, which may be a secret.
struct KeyOwners: Sendable {
    /// A component with variables that are set.
    private struct Owner {
        let component: String
        /// What the names of its variables begin with.
        let prefix: String
        /// The variables that it reads; nil if it does not declare them.
        let variables: Set<ExactText>?
    }

    /// The names of all components.
    let names: [String]
    /// Those that contain dots.
    private let dotted: [String]
    private let owners: [Owner]

    init(_ manifests: [Manifest], _ origins: [ConfigurationOrigin]) {
        names = manifests.map(\.name)
        dotted = names.filter { $0.hasASCII(".") }
        var owners: [Owner] = []
        for case .variables(let variables) in origins.map(\.form) {
            for manifest in manifests {
                let prefix = variables.prefix(of: manifest.name)
                // Most components have none, and their models need not be read.
                guard variables.all.contains(where: { $0.text.hasExactPrefix(prefix) }) else { continue }
                let read = ConfigurationSchema(of: manifest).map { schema in
                    Set(schema.fields.map { ExactText(variables.name([manifest.name] + $0.path)) })
                }
                owners.append(Owner(component: manifest.name, prefix: prefix, variables: read))
            }
        }
        self.owners = owners
    }

    /// Returns the value that a component has for a key in an origin; nil if there is none.
    ///
    /// - Throws: `Mismatch` if the value has another type, or may be meant for another component.
    func find(
        _ path: [String], of component: String, as type: ConfigurationType, in origin: ConfigurationOrigin
    ) throws(ConfigurationOrigin.Mismatch) -> ConfigurationOrigin.Found? {
        let path = [component] + path
        switch origin.form {
        case .sections: break
        case .texts:
            let key = path.joined(separator: ".")
            let other = dotted.first { $0.hasExactPrefix(component + ".") && key.hasExactPrefix($0 + ".") }
            if let other, let found = try origin.find(path, type) {
                throw ConfigurationOrigin.Mismatch(place: found.place, problem: .shared(with: other))
            }
        case .variables(let variables):
            let variable = ExactText(variables.name(path))
            if variables.all.contains(variable), let other = other(than: component, variables, for: variable) {
                throw ConfigurationOrigin.Mismatch(place: variable.text, problem: .shared(with: other))
            }
        }
        return try origin.find(path, type)
    }

    /// Returns another component that a variable may be meant for: one that declares it, or that may read anything that
    /// begins with its name, unless the name of this one says more.
    private func other(
        than component: String, _ variables: ConfigurationOrigin.VariableNames, for variable: ExactText
    ) -> String? {
        let own = variables.prefix(of: component)
        return owners.first { owner in
            guard !owner.component.isExactly(component) else { return false }
            return owner.variables?.contains(variable)
                ?? (owner.prefix.hasExactPrefix(own) && variable.text.hasExactPrefix(owner.prefix))
        }?.component
    }

    /// Returns the variables that begin with the name of a component, but are not among those that it reads, and are not
    /// meant for another one.
    func unknownVariables(
        of component: String, besides known: Set<ExactText>, among variables: ConfigurationOrigin.VariableNames
    ) -> [String] {
        let own = variables.prefix(of: component)
        return variables.all.filter { variable in
            variable.text.hasExactPrefix(own) && !known.contains(variable)
                && other(than: component, variables, for: variable) == nil
                && !owners.contains { owner in
                    owner.prefix.utf8.count > own.utf8.count && variable.text.hasExactPrefix(owner.prefix)
                }
        }.sorted().map(\.text)
    }
}

extension ConfigurationOrigin.VariableNames {
    /// What the names of the variables of a component begin with.
    func prefix(of component: String) -> String { name([component]) + "_" }
}
