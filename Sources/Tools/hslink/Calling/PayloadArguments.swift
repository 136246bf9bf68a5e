import ComponentHost
import ComponentKit
import SystemSupport

/// The payload of a call, as given on the command line. Error messages do not show it, since it may be a misplaced
/// password.
enum PayloadArguments {
    case value(Payload)
    /// JSON in a file; "-" is standard input.
    case file(String)
    /// Keys and values; some values may have to be read from other sources.
    case map([(key: String, value: ValueArgument)])

    /// Parses the arguments without reading other sources yet.
    ///
    /// - Throws: a ``UsageError`` if they are not a payload.
    init(_ arguments: [String]) throws(UsageError) {
        try self.init(arguments.map { ShellWord(plain: $0) }, results: ScriptResults())
    }

    /// Parses the words of a line in a script.
    ///
    /// - Parameters:
    ///   - words: the words; a value that begins with an unquoted dollar sign refers to an earlier result.
    ///   - results: the results of the earlier calls.
    /// - Throws: a ``UsageError`` if they are not a payload or refer to a missing result.
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
            if argument.hasExactPrefix("@") {
                let path = argument.without(exactPrefix: "@")
                guard !path.isEmpty else {
                    throw UsageError("expected a file after '@', or '-' for standard input")
                }
                self = .file(path)
                return
            }
            do throws(PayloadError) {
                self = .value(try Payload(json: argument))
                return
            } catch {
                if PayloadArguments.isMeantAsJSON(argument) {
                    throw UsageError("the payload is not JSON: \(error.text(root: nil))")
                }
                guard argument.hasASCII("=") else {
                    throw UsageError("expected a payload as JSON, @FILE or key=value")
                }
            }
        }
        self = .map(try PayloadArguments.entries(of: words, results))
    }

    /// Whether the payload reads standard input.
    var takesInput: Bool {
        switch self {
        case .value: false
        case .file(let path): path == "-"
        case .map(let entries): entries.contains { if case .input = $0.value { true } else { false } }
        }
    }

    /// The keys of a map; empty for a file, which is not read here.
    var keys: [String] {
        switch self {
        case .value(let payload): payload.keys
        case .map(let entries): entries.map(\.key)
        case .file: []
        }
    }

    /// Returns the payload, after reading all other sources.
    ///
    /// - Parameters:
    ///   - types: the declared types of the selector's parameters, by key. Text is a date where the type is one.
    ///   - closures: makes closures; nil if the host is in another process.
    /// - Throws: a ``UsageError`` if a source cannot be read, a file is not JSON, a value is malformed JSON or no date, or
    ///   a closure cannot be given.
    func payload(
        types: [ExactText: String] = [:], closures: PrintingClosures? = nil
    ) throws(UsageError) -> Payload {
        let payload = try undated(types, closures)
        let dates = types.mapValues { WrittenType($0).type }.filter { $0.value.holdsDates }
        guard payload.kind == .map, !dates.isEmpty else { return payload }
        var values: [(String, Payload)] = []
        for (key, value) in (try? payload.entries()) ?? [] {
            guard let type = dates[ExactText(key)] else {
                values.append((key, value))
                continue
            }
            values.append((key, try value.readingDates(as: type, of: key)))
        }
        return .map(values)
    }

    /// Returns the payload before texts become dates.
    private func undated(
        _ types: [ExactText: String], _ closures: PrintingClosures?
    ) throws(UsageError) -> Payload {
        switch self {
        case .value(let payload): return payload
        case .map(let entries):
            var values: [(String, Payload)] = []
            for (key, value) in entries {
                values.append((key, try value.payload(of: key, type: types[ExactText(key)], closures: closures)))
            }
            return .map(values)
        case .file(let path):
            let source = path == "-" ? "standard input" : path.escaped
            let bytes: [UInt8]
            do throws(InputError) {
                bytes = try InputFile.read(path, limit: PayloadLimits.standard.bytes)
            } catch {
                throw UsageError("the payload could not be read from \(source): \(error.message)")
            }
            do throws(PayloadError) {
                return try Payload(json: bytes)
            } catch {
                throw UsageError("the payload in \(source) is not JSON: \(error.text(root: nil))")
            }
        }
    }

    /// Returns whether the argument is written as a number in JSON.
    static func isNumber(_ argument: String) -> Bool {
        argument.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil
    }

    /// Returns whether the argument begins like a JSON array, map or string, and so cannot be meant as `key=value`.
    static func isMeantAsJSON(_ argument: String) -> Bool {
        argument.utf8.first { !" \n\r\t".utf8.contains($0) }.map { "{[\"".utf8.contains($0) } ?? false
    }

    private static func entries(
        of words: [ShellWord], _ results: ScriptResults
    ) throws(UsageError) -> [(key: String, value: ValueArgument)] {
        var entries: [(key: String, value: ValueArgument)] = []
        var keys = Set<ExactText>()
        var takesInput = false
        for (index, word) in words.enumerated() {
            let argument = word.text
            let bytes = argument.utf8
            guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")), sign > bytes.startIndex,
                !isMeantAsJSON(argument), !argument.hasExactPrefix("@")
            else {
                throw UsageError(
                    "part \(index + 1) of the payload is not key=value; expected key=value pairs, a single "
                        + "JSON text, or @FILE")
            }
            let key = String(argument[..<sign])
            guard keys.insert(ExactText(key)).inserted else {
                throw UsageError("the key \(key.excerpt) is given twice")
            }
            let text = String(argument[bytes.index(after: sign)...])
            if word.hasDollar(at: key.utf8.count + 1) {
                entries.append((key, .result(try results.value(of: text, for: key))))
                continue
            }
            let value = try ValueArgument(text, of: key)
            if case .input = value {
                guard !takesInput else {
                    throw UsageError("\(key.escaped): another key already reads standard input")
                }
                takesInput = true
            }
            entries.append((key, value))
        }
        return entries
    }
}

extension Payload {
    /// The keys of a map; empty for any other payload.
    var keys: [String] { ((try? entries()) ?? []).map(\.key) }
}

extension String {
    /// The text in quotes for a message, shortened if it is long.
    var excerpt: String { "'\(escaped.shortenedAtEnd(to: 60))'" }
}
