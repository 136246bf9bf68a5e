#if CommandLine || Configuration
    import ComponentKit
    import SystemSupport

    /// The contents of a file, in JSON or YAML: its values by keys. Each key of the outermost level is the name of a
    /// component as a whole; below it, dots stand between the parts of a key.
    struct ConfigurationTree: Sendable {
        /// Why a file cannot be used. It does not show values, which may be secrets.
        struct Refusal: Error {
            let reason: String
        }

        private var values: [ConfigurationKey: ConfigurationValue] = [:]
        /// The keys that have keys below them, or would have if their sections were not empty.
        private var sections: Set<ConfigurationKey> = []
        /// How many values and sections there are.
        private var count = 0

        /// The limits are far beyond any real file. Without them, aliases in YAML let a file of a few lines have more
        /// values than there is memory.
        private static let valueLimit = 100_000
        private static let depthLimit = 64
        private static let keyLimit = 1000

        /// A file without values.
        init() {}

        /// - Parameter root: the outermost section.
        init(_ root: some ConfigurationNode) throws(Refusal) {
            guard case .section = try root.content() else {
                throw Refusal(reason: "expected a section for each component, found something else")
            }
            try add(root, at: nil, depth: 0)
            // In another form, the key is there as a section.
            if let key = sections.filter({ values[$0]?.isNull == false }).min() { throw .twice(key) }
        }

        /// All keys with values.
        var keys: [ConfigurationKey] { values.keys.sorted() }

        private mutating func add(_ node: some ConfigurationNode, at key: ConfigurationKey?, depth: Int) throws(Refusal)
        {
            try countOne()
            switch try node.content() {
            case .section(let entries):
                guard depth < ConfigurationTree.depthLimit else {
                    throw Refusal(reason: "it has more than \(ConfigurationTree.depthLimit) levels of sections")
                }
                if let key { try addSection(key) }
                for (name, value) in entries {
                    let inner = key.map { $0.inner(name) } ?? ConfigurationKey(outermost: name)
                    guard inner.byteCount <= ConfigurationTree.keyLimit else {
                        throw Refusal(reason: "it has a key with more than \(ConfigurationTree.keyLimit) bytes")
                    }
                    try add(value, at: inner, depth: depth + 1)
                }
            case .list(let items):
                var list: [ConfigurationValue] = []
                for item in items {
                    try countOne()
                    if case .scalar(let value) = try item.content() { list.append(value) } else { list.append(.nested) }
                }
                try set(.list(list), at: key)
            case .scalar(let value): try set(value, at: key)
            }
        }

        private mutating func set(_ value: ConfigurationValue, at key: ConfigurationKey?) throws(Refusal) {
            // The outermost level is a section.
            guard let key else { return }
            guard values.updateValue(value, forKey: key) == nil else { throw .twice(key) }
            if let outer = key.outer { try addSection(outer) }
        }

        /// Adds a section, and those that contain it.
        private mutating func addSection(_ key: ConfigurationKey) throws(Refusal) {
            var key = key
            while sections.insert(key).inserted {
                try countOne()
                guard let outer = key.outer else { return }
                key = outer
            }
        }

        private mutating func countOne() throws(Refusal) {
            count += 1
            guard count <= ConfigurationTree.valueLimit else {
                throw Refusal(
                    reason: "it has too many values: more than \(ConfigurationTree.valueLimit), with those of aliases")
            }
        }

        /// Returns the value of a key; nil if it has none.
        ///
        /// - Parameter place: the file.
        func find(
            _ path: [String], _ type: ConfigurationType, in place: String
        ) throws(ConfigurationOrigin.Mismatch) -> ConfigurationOrigin.Found? {
            for depth in path.indices.dropFirst() {
                let section = ConfigurationKey(path[..<depth])
                guard let value = values[section], !value.isNull else { continue }
                throw ConfigurationOrigin.Mismatch(
                    place: place, problem: .section("\(section)", found: value.kind))
            }
            let key = ConfigurationKey(path)
            guard let value = values[key], !value.isNull else {
                guard !sections.contains(key) else {
                    throw ConfigurationOrigin.Mismatch(place: place, problem: .type(found: "a section"))
                }
                return nil
            }
            guard let found = value.read(as: type) else {
                throw ConfigurationOrigin.Mismatch(
                    place: place, problem: .type(found: value.kind(insteadOf: type)))
            }
            return ConfigurationOrigin.Found(value: found, place: place)
        }
    }

    extension ConfigurationTree.Refusal {
        fileprivate static func twice(_ key: ConfigurationKey) -> Self { Self(reason: "the key \(key) occurs twice") }
    }

    extension ConfigurationKey {
        /// A key of the outermost level, which is that of a component. No component is called "host", so the host's own
        /// settings may be written with dots there, too.
        fileprivate init(outermost name: String) {
            let start = HostSection.name + "."
            self.init(
                name.hasExactPrefix(start) ? [HostSection.name, name.without(exactPrefix: start)] : [name])
        }

        /// A key in the section with this key.
        fileprivate func inner(_ name: String) -> ConfigurationKey {
            ConfigurationKey([section.text] + (key.map { [$0.text] } ?? []) + [name])
        }

        /// The section that contains it; nil if it is a section of the outermost level.
        fileprivate var outer: ConfigurationKey? {
            guard let text = key?.text else { return nil }
            guard let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")) else { return ConfigurationKey([section.text]) }
            return ConfigurationKey([section.text, String(text[..<dot])])
        }

        fileprivate var byteCount: Int { section.text.utf8.count + (key.map { $0.text.utf8.count + 1 } ?? 0) }
    }

    /// A part of a file, as its format has it.
    protocol ConfigurationNode {
        func content() throws(ConfigurationTree.Refusal) -> ConfigurationContent<Self>
    }

    enum ConfigurationContent<Node> {
        case section([(key: String, value: Node)])
        case list([Node])
        case scalar(ConfigurationValue)
    }
#endif
