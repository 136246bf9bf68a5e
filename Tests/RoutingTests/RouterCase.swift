import Testing

@testable import Routing

/// A case of the file, whose keys are the properties.
struct RouterCase: Decodable, Sendable, CustomTestStringConvertible {
    struct Pattern: Decodable, Sendable {
        let text: String
        var scheme: String?
        var tag: String?
        var handlerReturns: String?
        var priority = 0

        init(text: String, scheme: String?) {
            self.text = text
            self.scheme = scheme
        }

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self.init(text: text, scheme: nil)
                return
            }
            let container = try decoder.container(keyedBy: Keys.self)
            self.init(
                text: try container.decode(String.self, forKey: .pattern),
                scheme: try container.decodeIfPresent(String.self, forKey: .scheme))
            tag = try container.decodeIfPresent(String.self, forKey: .tag)
            priority = try container.decodeIfPresent(Int.self, forKey: .priority) ?? 0
            handlerReturns =
                (try? container.decodeIfPresent(Bool.self, forKey: .handlerReturns)).flatMap { $0.map(String.init) }
                ?? (try? container.decodeIfPresent(String.self, forKey: .handlerReturns))
        }

        private enum Keys: String, CodingKey { case pattern, scheme, tag, priority, handlerReturns }

        /// Parses the pattern. One whose scheme is given apart has no host of its own.
        func parse(_ options: RoutingOptions) throws -> RoutePattern {
            let path = scheme == nil || !text.hasPrefix("/") ? text : String(text.dropFirst())
            return try RoutePattern((scheme.map { "\($0):/" } ?? "") + path, syntax: options.syntax)
        }

        /// Whether the handler of the case wants another to be tried.
        func declines(_ parameters: [String: RouteValue]) -> Bool {
            switch handlerReturns?.lowercased() {
            case nil, "true", "yes": return false
            case "false", "no": return true
            case let text? where text.hasSuffix("is an integer"):
                guard let name = text.split(separator: " ").dropLast(3).last,
                    case .text(let value)? = parameters[String(name)]
                else { return true }
                return Int(value) == nil
            case let text?:
                Issue.record("unknown behaviour of a handler: \(text)")
                return true
            }
        }
    }

    struct Step: Decodable, Sendable {
        let remove: String?
        let scheme: String?
        let unregisterScheme: String?
    }

    /// A value of a case, as a route delivers it.
    struct Value: Decodable, Sendable {
        let value: RouteValue

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let list = try? container.decode([String].self) {
                value = .list(list)
            } else if let text = try? container.decode(String.self) {
                value = .text(text)
            } else if let boolean = try? container.decode(Bool.self) {
                value = .boolean(boolean)
            } else if let integer = try? container.decode(Int64.self) {
                value = .integer(integer)
            } else {
                value = .float(try container.decode(Double.self))
            }
        }
    }

    let id: String
    let dialect: String
    let patterns: [Pattern]
    let url: String?
    let matched: Bool
    let params: [String: Value]?
    let paramsPartial: Bool?
    let matchedPattern: String?
    let matchedTag: String?
    let matchedScheme: String?
    let wildcard: [String]?
    let userInfo: [String: Value]?
    let steps: [Step]?
    let expandedCount: Int?
    let values: [String]?
    let expectedUrl: String?
    let target: String?
    let action: String?
    let op: String?
    /// What differs from the options of the dialect.
    private let options: [String: Value]?

    var testDescription: String { id }

    var routingOptions: RoutingOptions {
        var options: RoutingOptions =
            switch dialect {
            case "mgj": .mgjRouter
            case "jlroutes": .jlRoutes
            case "urlnavigator", "urlnavigator-query": .urlNavigator
            case "hhrouter": .hhRouter
            case "crossroad": .crossroad
            case "ctmediator": .ctMediator
            default: RoutingOptions()
            }
        for (name, value) in self.options ?? [:] {
            switch (name, value.value) {
            case ("accepting", .list(let sources)): options.sources += sources.compactMap { URLSource($0) }
            case ("host_as_path", .boolean(let value)): options.hosts = value ? .component : .componentUnlessDomain
            case ("decode_plus", .boolean(let value)): options.plus = value ? .isSpace : .isPlus
            case (let name, .boolean(let value)) where name.contains("fallback"): options.fallsBackToAnyScheme = value
            case (let name, .list(let schemes)) where name.contains("fallback"):
                options.fallsBackToAnyScheme = !schemes.isEmpty
            case (let name, .boolean(let value)) where name.contains("exact"):
                options.unknownTail = value ? .refused : .nearestAncestor
            default: break
            }
        }
        return options
    }
}
