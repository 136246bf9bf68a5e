import CHSLink

/// What operators have configured for a component: its section of the host's configuration.
///
/// A component declares what it reads as a model, whose fields are the keys:
///
/// ```swift
/// @Model struct Options {
///     /// How long a download may take, in seconds.
///     var timeout: Double = 30
///     var mirrors: [String] = []
///     var token: Secret?
/// }
///
/// @Component(version: "1.0.0", configuration: Options.self)
/// struct ComponentImage {
///     let options: Options
///     init(_ context: ComponentContext) throws { options = try context.configuration.value() }
/// }
/// ```
///
/// The host checks the section before the component starts. If a value does not have the declared type, or a field
/// without a default value is missing, the component fails with an error that names the file, the key and the type.
/// Keys that the model does not have are reported as warnings.
///
/// Whether a string is a URL or a UUID is checked when the component reads it.
///
/// Each function returns the current values. `ConfigurationChanged` announces changes. All functions may be
/// called from any thread and do not read files.
public struct ComponentConfiguration: Sendable {
    private let source: any ConfigurationSource

    package init(_ source: any ConfigurationSource) { self.source = source }

    /// Returns all values as the model that the component declares.
    ///
    /// - Throws: ``LinkError`` in the domain `hslink.configuration`, with a number `HSLINK_CONFIGURATION_…`, if a value
    ///   is missing or does not have the declared type, if a file could not be read, or if the component does not
    ///   declare a model.
    public func value<Value: PayloadConvertible>(as type: Value.Type = Value.self) throws(LinkError) -> Value {
        let values = try source.values()
        do throws(PayloadError) {
            return try values.value()
        } catch {
            throw LinkError(configuration: HSLINK_CONFIGURATION_INVALID, "the configuration is not valid: \(error)")
        }
    }

    /// Returns the string of a key; nil if it has none.
    ///
    /// - Parameter key: The key, with dots between its parts, as in `proxy.host`. It need not be declared.
    /// - Throws: ``LinkError`` in the domain `hslink.configuration` if the value is not a string, the key is not valid,
    ///   or a file could not be read.
    public func string(_ key: String) throws(LinkError) -> String? { try value(key, .string) }

    /// Returns the integer of a key; nil if it has none. See ``string(_:)``.
    public func int(_ key: String) throws(LinkError) -> Int? { try value(key, .int) }

    /// Returns the number of a key; nil if it has none. See ``string(_:)``.
    public func double(_ key: String) throws(LinkError) -> Double? { try value(key, .double) }

    /// Returns the boolean of a key; nil if it has none. See ``string(_:)``.
    public func bool(_ key: String) throws(LinkError) -> Bool? { try value(key, .bool) }

    /// Returns the list of strings of a key; nil if it has none. See ``string(_:)``.
    public func strings(_ key: String) throws(LinkError) -> [String]? { try value(key, .list(of: .string)) }

    /// Returns the list of integers of a key; nil if it has none. See ``string(_:)``.
    public func ints(_ key: String) throws(LinkError) -> [Int]? { try value(key, .list(of: .int)) }

    /// Returns the list of numbers of a key; nil if it has none. See ``string(_:)``.
    public func doubles(_ key: String) throws(LinkError) -> [Double]? { try value(key, .list(of: .double)) }

    /// Returns the list of booleans of a key; nil if it has none. See ``string(_:)``.
    public func bools(_ key: String) throws(LinkError) -> [Bool]? { try value(key, .list(of: .bool)) }

    private func value<Value: PayloadConvertible>(
        _ key: String, _ type: ConfigurationType
    ) throws(LinkError) -> Value? {
        guard let found = try source.value(key, type) else { return nil }
        do throws(PayloadError) {
            return try found.value()
        } catch {
            throw LinkError(configuration: HSLINK_CONFIGURATION_INVALID, "\(key) is not valid: \(error)")
        }
    }
}

/// The type of a value in a configuration.
package enum ConfigurationType: Hashable, Sendable {
    package enum Scalar: UInt32, Hashable, Sendable {
        case string, int, double, bool, bytes
    }

    case scalar(Scalar)
    case list(of: Scalar)

    static let string = scalar(.string)
    static let int = scalar(.int)
    static let double = scalar(.double)
    static let bool = scalar(.bool)

    /// The number at the boundary.
    var number: UInt32 {
        switch self {
        case .scalar(let scalar): scalar.rawValue
        case .list(let scalar): scalar.rawValue + UInt32(HSLINK_CONFIGURATION_LIST)
        }
    }

    /// Returns nil for a number that is not a type.
    package init?(boundary number: UInt32) {
        let list = UInt32(HSLINK_CONFIGURATION_LIST)
        guard let scalar = Scalar(rawValue: number >= list ? number - list : number) else { return nil }
        self = number >= list ? .list(of: scalar) : .scalar(scalar)
    }
}

/// Finds the values of a component's configuration: over the boundary, or nowhere.
package protocol ConfigurationSource: Sendable {
    /// Where the host runs.
    var environment: DeploymentEnvironment { get }

    /// Returns the values of the declared model, as a map.
    func values() throws(LinkError) -> Payload

    /// Returns the value of a key; nil if it has none.
    func value(_ key: String, _ type: ConfigurationType) throws(LinkError) -> Payload?
}

/// The configuration of a component that has no host, or one that does not offer any: the default values apply.
struct NoConfiguration: ConfigurationSource {
    var environment: DeploymentEnvironment { .prod }

    func values() throws(LinkError) -> Payload { [:] }

    func value(_ key: String, _ type: ConfigurationType) throws(LinkError) -> Payload? { nil }
}

extension LinkError {
    /// Creates an error in the domain `hslink.configuration`.
    package init(configuration code: Int, _ message: String) {
        self.init(domain: HSLINK_CONFIGURATION_DOMAIN, number: Int32(code), message: message)
    }
}
