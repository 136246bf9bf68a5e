import ComponentCatalog
import ComponentKit
import SystemSupport

/// One place where values of a configuration come from, such as a file. Immutable.
struct ConfigurationOrigin: Sendable {
    /// A value that was found.
    struct Found: Sendable {
        let value: Payload
        /// The place as it is shown, such as the path of a file or the name of an environment variable.
        let place: String
    }

    /// The value of a key cannot be read as the expected type.
    struct Mismatch: Error {
        enum Problem {
            /// The value has another kind, which is nil if it is not known.
            case type(found: String?)
            /// The key of a section that would contain the value has a value itself.
            case section(String, found: String)
            /// The file of the value cannot be used.
            case file(String)
            /// The key is written as one text that another component may be meant by.
            case shared(with: String)
        }

        let place: String
        var problem = Problem.type(found: nil)

        /// Returns the error in words, without the value, which may be a secret.
        func message(_ key: String, expected: String) -> String {
            switch problem {
            case .type(let found):
                "\(key) in \(place): expected \(expected)\(found.map { ", found \($0)" } ?? "")"
            case .section(let section, let found): "\(section) in \(place): expected a section, found \(found)"
            case .file(let reason): "\(key) in \(place): \(reason.escaped)"
            case .shared(let other):
                "\(key) in \(place): the component \(other) may be meant, too; put the value into a file with a section "
                    + "for each component"
            }
        }
    }

    /// How keys are written.
    enum Form: Sendable {
        /// The names of components stand apart from their keys, as the sections of a file.
        case sections
        /// A name and a key are one text; see ``ConfigurationKey/init(text:)``.
        case texts
        /// A name and a key are the name of a variable, in which neither can be told from the other.
        case variables(VariableNames)
    }

    /// The variables of the environment that count.
    struct VariableNames: Sendable {
        /// Those that are set.
        let all: Set<ExactText>
        /// Returns the name of the variable for the name of a component, with the parts of a key if there are any.
        let name: @Sendable (_ path: [String]) -> String
    }

    /// The path of a file, or another short string that names the origin.
    let name: String
    /// Whether its values must not be shown.
    let isSecret: Bool
    var form = Form.sections
    /// The keys that it has; nil if it cannot list them.
    let keys: [ConfigurationKey]?
    /// A string that differs if the contents differ.
    let revision: String
    /// Returns the value of a key, whose first part is the name of a component; nil if it has none.
    let find: @Sendable (_ key: [String], _ type: ConfigurationType) throws(Mismatch) -> Found?
}

/// Reads the origins, in order of precedence. Read again when the configuration may have changed.
protocol ConfigurationLoader: Sendable {
    /// The files and directories that it reads.
    var paths: [String] { get }

    /// - Throws: `LinkError` in the domain `hslink.configuration` with the file that cannot be used, and why.
    func load(_ policy: TrustPolicy) throws(LinkError) -> [ConfigurationOrigin]
}
