#if CommandLine || Configuration
    import ComponentKit
    import Yams

    extension ConfigurationTree {
        /// Reads JSON.
        init(json: [UInt8]) throws(Refusal) {
            let payload: Payload
            do throws(JSONError) {
                payload = try Payload(placing: json)
            } catch {
                // What was found may be a secret, so only its place is shown, unless it is a key.
                let place = error.place.map { " at \($0)" } ?? ""
                let text = error.isAboutSameKeys ? error.error.text(root: nil) : error.error.expectation(root: nil)
                throw Refusal(reason: text + place)
            }
            try self.init(payload)
        }

        /// Reads YAML.
        init(yaml: [UInt8]) throws(Refusal) {
            guard let text = String(validating: yaml, as: UTF8.self) else { throw Refusal(reason: "it is not UTF-8") }
            try ConfigurationTree.refuseAliasesInKeys(of: text)
            guard let root = try ConfigurationTree.compose(text), try !root.isNull else {
                self.init()
                return
            }
            try self.init(root)
        }

        private static func compose(_ text: String) throws(Refusal) -> Node? {
            do {
                // The default resolver matches each scalar with several regular expressions.
                return try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot()
            } catch {
                throw Refusal(reason: (error as? YamlError)?.place ?? "it cannot be read as YAML")
            }
        }

        /// Yams compares the keys of a mapping with each other. If they could contain aliases, which may contain others,
        /// that could take forever. So the file is first read without aliases: with another character, which also may
        /// begin a string, in place of the asterisks.
        private static func refuseAliasesInKeys(of text: String) throws(Refusal) {
            guard text.utf8.contains(UInt8(ascii: "*")) else { return }
            let standIn = "\u{E000}"
            guard let root = try compose(text.replacing("*", with: standIn)) else { return }
            try checkKeys(of: root, standIn)
        }

        private static func checkKeys(of node: Node, _ standIn: String) throws(Refusal) {
            switch node {
            case .scalar, .alias: return
            case .sequence(let items): for item in items { try checkKeys(of: item, standIn) }
            case .mapping(let entries):
                for (key, value) in entries {
                    let name = try key.name()
                    guard key.scalar?.style != .plain || !name.hasPrefix(standIn) else {
                        throw Refusal(reason: "\(key.line)expected a string as the key, found an alias")
                    }
                    try checkKeys(of: value, standIn)
                }
            }
        }
    }

    extension Payload: ConfigurationNode {
        func content() throws(ConfigurationTree.Refusal) -> ConfigurationContent<Payload> {
            if let entries = try? entries() { return .section(entries) }
            if let items = try? items() { return .list(items) }
            return .scalar(.exact(self))
        }
    }

    extension Node: ConfigurationNode {
        func content() throws(ConfigurationTree.Refusal) -> ConfigurationContent<Node> {
            switch self {
            case .scalar(let scalar):
                let isText = scalar.style != .plain || scalar.tag.rawValue == Tag.Name.str.rawValue
                if isText { return .scalar(.exact(.string(scalar.string))) }
                let isNull = ["", "~", "null", "Null", "NULL"].contains(scalar.string)
                return .scalar(isNull ? .exact(.null) : .plain(scalar.string))
            case .sequence(let items): return .list(Array(items))
            case .mapping(let mapping):
                var entries: [(key: String, value: Node)] = []
                for (key, value) in mapping { entries.append((try key.name(), value)) }
                return .section(entries)
            case .alias: throw ConfigurationTree.Refusal(reason: "\(line)found an alias of nothing")
            }
        }

        fileprivate var isNull: Bool {
            get throws(ConfigurationTree.Refusal) {
                if case .scalar(let value) = try content() { value.isNull } else { false }
            }
        }

        /// The text of a key.
        fileprivate func name() throws(ConfigurationTree.Refusal) -> String {
            guard let scalar else {
                let found = mapping == nil ? "a list" : "a section"
                throw ConfigurationTree.Refusal(reason: "\(line)expected a string as the key, found \(found)")
            }
            return scalar.string
        }

        /// The place in the file, to precede a reason.
        fileprivate var line: String { mark.map { "\($0.place): " } ?? "" }
    }

    extension Mark {
        fileprivate var place: String { "line \(line), column \(column)" }
    }

    extension YamlError {
        /// The reason with its place. The description would also show the line, which may have a secret.
        fileprivate var place: String? {
            switch self {
            case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
                .composer(_, let problem, let mark, _):
                "\(mark.place): \(problem)"
            case .duplicatedKeysInMapping(_, let context): "\(context.mark.place): a key occurs twice"
            case .reader(let problem, let offset, _, let yaml):
                "\(offset.map { "line \(yaml.prefix($0).count(where: \.isNewline) + 1): " } ?? "")\(problem)"
            default: nil
            }
        }
    }
#endif
