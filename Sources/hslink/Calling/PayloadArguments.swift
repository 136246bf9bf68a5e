import ComponentKit
import SystemSupport

/// The payload of a call as it is given on the command line. What is wrong with it is said without showing it: it may be
/// a password in the wrong place.
enum PayloadArguments {
    case value(Payload)
    /// JSON in a file; "-" is standard input.
    case file(String)
    /// Keys with values, some of which come from elsewhere.
    case map([(key: String, value: ValueArgument)])

    /// Takes the arguments apart; nothing is read yet.
    ///
    /// - Throws: an error that says what was expected.
    init(_ arguments: [String]) throws(UsageError) {
        try self.init(arguments.map { ShellWord(plain: $0) }, results: ScriptResults())
    }

    /// Takes the words of a line apart.
    ///
    /// - Parameters:
    ///   - words: where a dollar sign that no quote protects begins a value, that is an earlier result.
    ///   - results: of the calls before.
    init(_ words: [ShellWord], results: ScriptResults) throws(UsageError) {
        if words.count <= 1 {
            guard let word = words.first else {
                self = .value(.null)
                return
            }
            if word.hasDollar(at: 0) {
                self = .value(try results.value(of: word.text))
                return
            }
            let argument = word.text
            if argument.hasPrefix("@") {
                let path = String(argument.dropFirst())
                guard !path.isEmpty else {
                    throw UsageError(message: "'@' has to be followed by a file, or by '-' for standard input")
                }
                self = .file(path)
                return
            }
            do throws(PayloadError) {
                self = .value(try Payload(json: argument))
                return
            } catch {
                if PayloadArguments.isMeantAsJSON(argument) {
                    throw UsageError(message: "the payload is not JSON: \(error)")
                }
                guard argument.contains("=") else {
                    throw UsageError(message: "the payload is neither JSON, nor @FILE, nor key=value")
                }
            }
        }
        self = .map(try PayloadArguments.entries(of: words, results))
    }

    /// Whether standard input is a part of it.
    var takesInput: Bool {
        switch self {
        case .value: false
        case .file(let path): path == "-"
        case .map(let entries): entries.contains { if case .input = $0.value { true } else { false } }
        }
    }

    /// The keys of a map, without anything read that comes from elsewhere.
    var keys: [String] {
        switch self {
        case .value(let payload): payload.keys
        case .map(let entries): entries.map(\.key)
        case .file: []
        }
    }

    /// The payload; reads what comes from elsewhere.
    ///
    /// - Parameter types: of the keys, as the selector declares them.
    /// - Throws: when that cannot be read, a file does not hold JSON, or a value cannot be of its type.
    func payload(types: [String: String] = [:]) throws(UsageError) -> Payload {
        switch self {
        case .value(let payload): return payload
        case .map(let entries):
            var values: [(String, Payload)] = []
            for (key, value) in entries { values.append((key, try value.payload(of: key, type: types[key]))) }
            return .map(values)
        case .file(let path):
            let source = path == "-" ? "standard input" : path.escaped
            let bytes: [UInt8]
            do throws(InputError) {
                bytes = try InputFile.read(path, limit: PayloadLimits.standard.bytes)
            } catch {
                throw UsageError(message: "the payload could not be read from \(source): \(error.message)")
            }
            do throws(PayloadError) {
                return try Payload(json: bytes)
            } catch {
                throw UsageError(message: "the payload in \(source) is not JSON: \(error)")
            }
        }
    }

    /// Arrays, maps and texts in quotes cannot be meant as `key=value`.
    static func isMeantAsJSON(_ argument: String) -> Bool {
        argument.utf8.first { !" \n\r\t".utf8.contains($0) }.map { "{[\"".utf8.contains($0) } ?? false
    }

    private static func entries(
        of words: [ShellWord], _ results: ScriptResults
    ) throws(UsageError) -> [(key: String, value: ValueArgument)] {
        var entries: [(key: String, value: ValueArgument)] = []
        var keys = Set<String>()
        var takesInput = false
        for (index, word) in words.enumerated() {
            let argument = word.text
            let bytes = argument.utf8
            guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")), sign > bytes.startIndex,
                !isMeantAsJSON(argument), !argument.hasPrefix("@")
            else {
                throw UsageError(
                    message: "part \(index + 1) of the payload is not key=value; expected key=value pairs, or a single "
                        + "JSON text or @FILE")
            }
            let key = String(argument[..<sign])
            guard keys.insert(key).inserted else {
                throw UsageError(message: "the key \(key.excerpt) is given twice")
            }
            let text = String(argument[bytes.index(after: sign)...])
            if word.hasDollar(at: key.utf8.count + 1) {
                entries.append((key, .result(try results.value(of: text, for: key))))
                continue
            }
            let value = try ValueArgument(text, of: key)
            if case .input = value {
                guard !takesInput else {
                    throw UsageError(message: "\(key.escaped): standard input is taken already; it can be read once")
                }
                takesInput = true
            }
            entries.append((key, value))
        }
        return entries
    }
}

extension Payload {
    /// Of a map; none of anything else.
    var keys: [String] { ((try? entries()) ?? []).map(\.key) }
}

extension String {
    /// The text in quotes for a message, without its end when it is long.
    var excerpt: String { "'\(escaped.shortenedAtEnd(to: 60))'" }
}
