import FoundationEssentials
import SystemSupport

/// `.layers.json`: what a package states about its layers.
///
/// ```
/// {
///   "layers": {"NXShell": "host", "nx-networking": "common"},
///   "exceptions": [{"target": "Account", "uses": "GRDB", "reason": "the schema of its own database"}]
/// }
/// ```
struct LayersFile: Decodable {
    private enum Keys: String, CodingKey, CaseIterable {
        case layers, exceptions
    }

    private enum ExceptionKeys: String, CodingKey, CaseIterable {
        case target, uses, reason
    }

    /// Any key, to find those that have no meaning.
    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private var statement = LayersStatement()

    /// Reads the text of the file.
    ///
    /// - Parameter path: The path for messages and findings.
    static func statement(_ bytes: [UInt8], path: String) throws(LayersError) -> LayersStatement {
        do {
            var statement = try JSONDecoder().decode(LayersFile.self, from: Data(bytes)).statement
            statement.path = path
            statement.bytes = bytes
            return statement
        } catch {
            throw LayersError("\(path.escaped): \(LayersFile.explanation(of: error).escaped)")
        }
    }

    init(from decoder: any Decoder) throws {
        try LayersFile.refuseOthers(decoder, Keys.allCases.map(\.rawValue))
        let container = try decoder.container(keyedBy: Keys.self)
        for (name, layer) in try container.decodeIfPresent([String: String].self, forKey: .layers) ?? [:] {
            guard let value = Layer(rawValue: layer) else {
                let all = Layer.allCases.map(\.rawValue).joined(separator: ", ")
                throw LayersError("layers.\(name): expected one of \(all); found \(layer.quoted())")
            }
            statement.layers[name] = value
        }
        guard container.contains(.exceptions) else { return }
        var exceptions = try container.nestedUnkeyedContainer(forKey: .exceptions)
        while !exceptions.isAtEnd {
            let decoder = try exceptions.superDecoder()
            try LayersFile.refuseOthers(decoder, ExceptionKeys.allCases.map(\.rawValue))
            let values = try decoder.container(keyedBy: ExceptionKeys.self)
            let exception = LayersStatement.Exception(
                target: try values.decode(String.self, forKey: .target),
                uses: try values.decode(String.self, forKey: .uses),
                reason: try values.decode(String.self, forKey: .reason))
            guard exception.reason.contains(where: { !$0.isWhitespace }) else {
                throw LayersError("exceptions: expected a reason why \(exception.target) may use \(exception.uses)")
            }
            statement.exceptions.append(exception)
        }
    }

    private static func refuseOthers(_ decoder: any Decoder, _ known: [String]) throws {
        let keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        if let other = keys.sorted().first(where: { !known.contains($0) }) {
            throw LayersError("expected the keys \(known.joined(separator: ", ")); found \(other.quoted())")
        }
    }

    private static func explanation(of error: any Error) -> String {
        func place(_ context: DecodingError.Context) -> String {
            let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
            return path.isEmpty ? "" : path.joined(separator: ".") + ": "
        }
        switch error {
        case let error as LayersError: return error.message
        case DecodingError.keyNotFound(let key, let context):
            return "\(place(context))the key \(key.stringValue) is missing"
        case DecodingError.typeMismatch(let type, let context):
            return
                "\(place(context))expected \(type == String.self ? "a string" : "an object or array"), found another "
                + "type of value"
        case DecodingError.valueNotFound(_, let context): return "\(place(context))expected a value, found null"
        default: return "expected JSON, found something else"
        }
    }
}
