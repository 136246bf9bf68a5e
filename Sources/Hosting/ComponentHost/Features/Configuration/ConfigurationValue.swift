#if CommandLine || Configuration
    import ComponentKit
    import Configuration
    import Yams

    /// A value in a file, before it is known which type is expected.
    enum ConfigurationValue: Sendable {
        /// A value whose kind is written, as all of JSON, and quoted strings in YAML.
        case exact(Payload)
        /// Characters without quotation marks in YAML, which are a string if one is expected.
        case plain(String)
        case list([ConfigurationValue])
        /// A list or a section in a list. No type has it, but a file may have it for other programs.
        case nested

        var isNull: Bool {
            if case .exact(let value) = self { value.isNull } else { false }
        }

        /// Returns the value as the type; nil if it has another one.
        func read(as type: ConfigurationType) -> Payload? {
            switch (type, self) {
            case (.scalar(let scalar), _): return read(as: scalar)
            case (.list(let scalar), .list(let items)):
                let values = items.compactMap { $0.read(as: scalar) }
                return values.count == items.count ? .array(values) : nil
            case (.list, _): return nil
            }
        }

        private func read(as type: ConfigurationType.Scalar) -> Payload? {
            switch self {
            case .exact(let value):
                switch (type, value.kind) {
                case (.string, .string), (.double, .double), (.bool, .bool), (.bytes, .bytes): return value
                case (.int, _): return (try? value.int()).map { Payload($0) }
                case (.double, _):
                    if let number = try? value.int() { return Payload(Double(number)) }
                    return (try? value.uint()).map { Payload(Double($0)) }
                case (.bytes, _): return (try? value.string()).flatMap(ConfigurationValue.bytes)
                default: return nil
                }
            case .plain(let text):
                switch type {
                case .string: return .string(text)
                case .int: return ConfigurationValue.number(text, Int.self).map { Payload($0) }
                case .double: return ConfigurationValue.number(text, Double.self).map { Payload($0) }
                case .bool: return Bool.construct(from: Node.Scalar(text, .implicit, .plain)).map { Payload($0) }
                case .bytes: return ConfigurationValue.bytes(text)
                }
            case .list, .nested: return nil
            }
        }

        /// Returns a number in YAML. Digits between colons, such as a time or an address, are a string: Yams would
        /// multiply it by 60, and trap if that is too large.
        private static func number<Number: ScalarConstructible>(_ text: String, _ type: Number.Type) -> Number? {
            guard !text.utf8.contains(UInt8(ascii: ":")),
                let number = Number.construct(from: Node.Scalar(text, .implicit, .plain))
            else { return nil }
            return isBeyondDoubles(number as? Double, text) ? nil : number
        }

        /// Whether a text was read as infinity without saying so, because it is too large.
        static func isBeyondDoubles(_ number: Double?, _ text: String) -> Bool {
            number?.isInfinite == true
                && text.utf8.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }

        private static func bytes(_ text: String) -> Payload? {
            ConfigBytesFromBase64StringDecoder().decode(text).map { Payload($0) }
        }

        /// The kind of a value that does not have the type, in words that do not show the value, which may be a secret.
        func kind(insteadOf type: ConfigurationType) -> String {
            if case (.list(let scalar), .list(let items)) = (type, self),
                let item = items.first(where: { $0.read(as: scalar) == nil })
            {
                return "a list with \(item.kind)"
            }
            return kind
        }

        var kind: String {
            switch self {
            case .exact(let value):
                switch value.kind {
                case .null: "nothing"
                case .bool: "a boolean"
                case .int: "an integer"
                case .uint: (try? value.int()) == nil ? ConfigurationValue.tooLarge : "an integer"
                case .double: "a number with a point or an exponent"
                case .string: "a string"
                case .bytes: "bytes"
                default: "another value"
                }
            case .plain(let text): ConfigurationValue.kind(of: text)
            case .list: "a list"
            case .nested: "a list or a section"
            }
        }

        private static func kind(of text: String) -> String {
            if number(text, Int.self) != nil { return "an integer" }
            if number(text, UInt64.self) != nil { return tooLarge }
            if number(text, Double.self) != nil { return "a number with a point or an exponent" }
            let scalar = Node.Scalar(text, .implicit, .plain)
            let isTime = text.utf8.contains(UInt8(ascii: ":"))
            if !isTime, isBeyondDoubles(Double.construct(from: scalar), text) { return beyondDoubles }
            return Bool.construct(from: scalar) == nil ? "a string" : "a boolean"
        }

        /// A number that is read as infinity, in words.
        static let beyondDoubles = "a number that a double cannot hold"

        private static let tooLarge = "an integer beyond \(Int.max)"
    }
#endif
