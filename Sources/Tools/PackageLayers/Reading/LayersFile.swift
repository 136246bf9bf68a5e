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
        } catch let error as DecodingError {
            throw LayersError("\(path.escaped): \(LayersFile.explanation(of: error).escaped)")
        } catch {
            throw LayersError("\(path.escaped): expected JSON, found something else")
        }
    }

    init(from decoder: any Decoder) throws {
        try LayersFile.refuseOthers(decoder, Keys.allCases.map(\.rawValue))
        let container = try decoder.container(keyedBy: Keys.self)
        for (name, layer) in try container.decodeIfPresent([String: String].self, forKey: .layers) ?? [:] {
            guard let value = Layer(rawValue: layer) else {
                let all = Layer.allCases.map(\.rawValue).joined(separator: ", ")
                throw LayersFile.wrong("layers.\(name): expected one of \(all); found \(layer.quoted())")
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
                throw LayersFile.wrong(
                    "exceptions: expected a reason why \(exception.target) may use \(exception.uses)")
            }
            statement.exceptions.append(exception)
        }
    }

    private static func refuseOthers(_ decoder: any Decoder, _ known: [String]) throws {
        let keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        if let other = keys.sorted().first(where: { !known.contains($0) }) {
            throw wrong("expected the keys \(known.joined(separator: ", ")); found \(other.quoted())")
        }
    }

    private static func wrong(_ message: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: message))
    }

    private static func explanation(of error: DecodingError) -> String {
        func place(_ context: DecodingError.Context) -> String {
            let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
            return path.isEmpty ? "" : path.joined(separator: ".") + ": "
        }
        switch error {
        case .keyNotFound(let key, let context): return "\(place(context))the key \(key.stringValue) is missing"
        case .typeMismatch(let type, let context):
            return
                "\(place(context))expected \(type == String.self ? "a string" : "an object or array"), found another "
                + "type of value"
        case .valueNotFound(_, let context): return "\(place(context))expected a value, found null"
        case .dataCorrupted(let context):
            // The decoder's own message begins with a capital letter and ends with a full stop.
            return context.underlyingError == nil && !context.debugDescription.hasPrefix("The given data")
                ? context.debugDescription : "expected JSON, found something else"
        @unknown default: return "expected another value"
        }
    }
}
