#if CommandLine || Configuration
    import CHSLink
    import ComponentCatalog
    import ComponentKit
    public import Configuration
    import FoundationEssentials
    import SystemSupport

    /// Where a host finds the configuration of its components. Each component has a section with its name:
    ///
    ///     # host.yaml
    ///     ComponentImage:
    ///       timeout: 10
    ///       mirrors: [https://a.example, https://b.example]
    ///
    ///     options.configuration = HostConfiguration(files: ["host.yaml"])
    ///
    /// Values are looked up in this order: ``values``, environment variables, ``secrets``, ``files``, ``providers``.
    /// Only the properties that are set count. It is built on swift-configuration, whose rules for environment
    /// variables hold.
    ///
    /// Available with the trait `Configuration` of the package, or `CommandLine`.
    public struct HostConfiguration: Sendable {
        /// Files in JSON or, if their names end in `.yaml` or `.yml`, in YAML. The values of later files replace those
        /// of earlier ones. Relative paths become absolute when they are set.
        ///
        /// They have the trust rules of components: the owner is the host's user or root, and no one else can write to
        /// them.
        public var files: [String] = [] {
            didSet { files = files.map(AbsolutePath.of) }
        }

        /// Files as in ``files``, and directories that contain a file for each value, named after its key, as in
        /// `ComponentImage.token`: the secrets of Docker and Kubernetes, and the credentials of systemd. A dot in the
        /// name of a component is written twice, as in ``values``. Tools do not show their values.
        public var secrets: [String] = [] {
            didSet { secrets = secrets.map(AbsolutePath.of) }
        }

        /// The first part of the environment variables that count, so that `HSLINK_COMPONENT_IMAGE_TIMEOUT` is the
        /// `timeout` of `ComponentImage` for the prefix `HSLINK`; nil to ignore the environment.
        public var environmentPrefix: String?

        /// Values by keys that include the component's name, such as `["ComponentImage.timeout": "10"]`. The name ends
        /// at the first dot; a dot in the name is written twice, as in `com..example..Video.timeout`. The items of a
        /// list are separated by commas.
        public var values: [String: String] = [:]

        /// Further providers of swift-configuration, asked in this order after all others. What they have when the host
        /// is created, and at each ``LinkHost/reloadConfiguration()``, counts; they must not use the host. The first
        /// part of a key is the component's name; use `prefixKeys(with:)` if the sections are elsewhere.
        public var providers: [any ConfigProvider] = []

        /// Creates a configuration of files and of the environment variables that begin with `HSLINK_`.
        public init(files: [String] = [], environmentPrefix: String? = "HSLINK") {
            self.files = files.map(AbsolutePath.of)
            self.environmentPrefix = environmentPrefix
        }
    }

    extension HostConfiguration: ConfigurationLoader {
        var paths: [String] { files + secrets }

        func load(_ policy: TrustPolicy) throws(LinkError) -> [ConfigurationOrigin] {
            var origins: [ConfigurationOrigin] = []
            if !values.isEmpty {
                let texts = Dictionary(firstOf: values.map { (ConfigurationKey(text: $0), $1) })
                origins.append(ConfigurationOrigin(texts: texts, name: "the command line") { _ in nil })
            }
            if let environmentPrefix {
                origins.append(
                    ConfigurationOrigin(
                        environment: ProcessInfo.processInfo.environment, prefix: environmentPrefix))
            }
            for path in secrets.reversed() { origins.append(try ConfigurationOrigin(secretsAt: path, policy)) }
            for path in files.reversed() {
                origins.append(try ConfigurationOrigin(file: path, isSecret: false, policy))
            }
            return origins + providers.map(ConfigurationOrigin.init(provider:))
        }
    }

    extension ConfigurationOrigin {
        /// The current values of a provider of the program.
        fileprivate init(provider: any ConfigProvider) {
            let (name, snapshot) = (provider.providerName, provider.snapshot())
            self.init(name: name, isSecret: false, keys: nil, revision: "") { (key, type) throws(Mismatch) in
                try ConfigurationOrigin.value(key, type, place: name, find: snapshot.value)
            }
        }

        /// - Parameters:
        ///   - environment: the variables by name.
        ///   - prefix: what the names of those that count begin with, without the underscore behind it.
        init(environment: [String: String], prefix: String) {
            let provider = EnvironmentVariablesProvider(environmentVariables: environment)
            let variables = VariableNames(all: Set(environment.keys.map { ExactText($0) })) { path in
                let found = try? provider.value(forKey: AbsoluteConfigKey([prefix] + path), type: .string)
                return found?.encodedKey ?? ""
            }
            self.init(
                name: "the environment", isSecret: false, form: .variables(variables), keys: nil, revision: ""
            ) { (key, type) throws(Mismatch) in
                for depth in key.indices.dropFirst(2) {
                    let section = key[..<depth]
                    guard
                        let text = try? provider.value(forKey: AbsoluteConfigKey([prefix] + section), type: .string),
                        text.value != nil
                    else { continue }
                    throw Mismatch(
                        place: text.encodedKey, problem: .section(section.joined(separator: "."), found: "a string"))
                }
                let key = [prefix] + key
                if let empty = try ConfigurationOrigin.emptyList(key, type, place: nil, find: provider.value) {
                    return empty
                }
                return try ConfigurationOrigin.value(key, type, place: nil, find: provider.value)
            }
        }

        /// Strings by key, in the forms of environment variables.
        ///
        /// - Parameters:
        ///   - failures: why keys have no string although they should.
        ///   - place: returns the place of a key's value; nil for the name.
        init(
            texts: [ConfigurationKey: String], failures: [ConfigurationKey: String] = [:], name: String,
            isSecret: Bool = false, place: @escaping @Sendable (_ key: ConfigurationKey) -> String?
        ) {
            // A key that has others below it, each with the first of them.
            var sections: [ConfigurationKey: ConfigurationKey] = [:]
            for key in texts.keys.sorted(by: >) {
                let parts = key.key?.text.exactParts(between: ".", omittingEmpty: false) ?? []
                for count in parts.indices { sections[ConfigurationKey([key.section.text] + parts[..<count])] = key }
            }
            self.init(
                name: name, isSecret: isSecret, form: .texts, keys: texts.keys.sorted(),
                revision: texts.sorted { $0.key < $1.key }.map { "\($0.key.text)=\($0.value)\n" }.joined()
            ) { [sections] (key, type) throws(Mismatch) in
                for depth in key.indices.dropFirst() {
                    let section = ConfigurationKey(key[..<depth])
                    guard texts[section] != nil || failures[section] != nil else { continue }
                    throw Mismatch(place: place(section) ?? name, problem: .section("\(section)", found: "a string"))
                }
                let key = ConfigurationKey(key)
                if let reason = failures[key] {
                    throw Mismatch(place: place(key) ?? name, problem: .file(reason))
                }
                guard let text = texts[key] else {
                    guard let inner = sections[key] else { return nil }
                    throw Mismatch(place: place(inner) ?? name, problem: .type(found: "a section"))
                }
                let provider = EnvironmentVariablesProvider(environmentVariables: ["VALUE": text])
                let place = place(key) ?? name
                if let empty = try ConfigurationOrigin.emptyList(["value"], type, place: place, find: provider.value) {
                    return empty
                }
                return try ConfigurationOrigin.value(["value"], type, place: place, find: provider.value)
            }
        }

        /// Returns an empty list for an empty string, which is not a list of one empty string.
        private static func emptyList(
            _ key: [String], _ type: ConfigurationType, place: String?,
            find: (AbsoluteConfigKey, ConfigType) throws -> LookupResult
        ) throws(Mismatch) -> Found? {
            guard case .list = type, let found = try value(key, .scalar(.string), place: place, find: find),
                (try? found.value.string().isEmpty) == true
            else { return nil }
            return Found(value: .array([]), place: found.place)
        }

        /// Whether a number, or one in a list, would be read as infinity because it is too large.
        private static func hasNumberBeyondDoubles(_ text: String) -> Bool {
            text.utf8.split(separator: UInt8(ascii: ",")).contains { item in
                let item = String(decoding: item.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self)
                return ConfigurationValue.isBeyondDoubles(Double(item), item)
            }
        }

        /// - Parameter place: what to show as the place of a value; nil for the key as `find` writes it.
        static func value(
            _ key: [String], _ type: ConfigurationType, place: String?,
            find: (AbsoluteConfigKey, ConfigType) throws -> LookupResult
        ) throws(Mismatch) -> Found? {
            let key = AbsoluteConfigKey(key)
            let result: LookupResult
            do {
                result = try find(key, ConfigType(type))
            } catch {
                // The error would show the value, which may be a secret.
                throw Mismatch(place: place ?? (try? find(key, .string).encodedKey) ?? key.description)
            }
            guard let value = result.value else { return nil }
            if type == .scalar(.double) || type == .list(of: .double), let text = (try? find(key, .string))?.value,
                let text = try? Payload(text.content).string(), hasNumberBeyondDoubles(text)
            {
                throw Mismatch(
                    place: place ?? result.encodedKey, problem: .type(found: ConfigurationValue.beyondDoubles))
            }
            return Found(value: Payload(value.content), place: place ?? result.encodedKey)
        }
    }

    extension ConfigType {
        init(_ type: ConfigurationType) {
            self =
                switch type {
                case .scalar(.string): .string
                case .scalar(.int): .int
                case .scalar(.double): .double
                case .scalar(.bool): .bool
                case .scalar(.bytes): .bytes
                case .list(of: .string): .stringArray
                case .list(of: .int): .intArray
                case .list(of: .double): .doubleArray
                case .list(of: .bool): .boolArray
                case .list(of: .bytes): .byteChunkArray
                }
        }
    }

    extension Payload {
        fileprivate init(_ content: ConfigContent) {
            self =
                switch content {
                case .string(let text): .string(text)
                case .int(let number): Payload(number)
                case .double(let number): Payload(number)
                case .bool(let value): Payload(value)
                case .bytes(let bytes): Payload(bytes)
                case .stringArray(let texts): .array(texts.map { .string($0) })
                case .intArray(let numbers): .array(numbers.map { Payload($0) })
                case .doubleArray(let numbers): .array(numbers.map { Payload($0) })
                case .boolArray(let values): .array(values.map { Payload($0) })
                case .byteChunkArray(let chunks): .array(chunks.map { Payload($0) })
                }
        }
    }
#endif
