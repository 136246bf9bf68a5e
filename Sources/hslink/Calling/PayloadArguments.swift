import ComponentKit

/// The payload of a call as it is given on the command line.
enum PayloadArguments {
    case value(Payload)
    /// JSON in a file; "-" is standard input.
    case file(String)

    /// Takes the arguments apart; files are not read yet.
    ///
    /// - Throws: an error that says what was expected and what was there.
    init(_ arguments: [String]) throws(UsageError) {
        if arguments.count <= 1 {
            guard let argument = arguments.first else {
                self = .value(.null)
                return
            }
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
                guard !PayloadArguments.isMeantAsJSON(argument), argument.contains("=") else {
                    throw UsageError(
                        message: "the payload \(argument.excerpt) is neither JSON (\(error)), nor @FILE, nor key=value")
                }
            }
        }
        self = .value(try PayloadArguments.map(of: arguments))
    }

    /// The payload; reads the file where there is one.
    ///
    /// - Throws: when the file cannot be read, or does not hold JSON.
    func payload() throws(UsageError) -> Payload {
        switch self {
        case .value(let payload): return payload
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
    private static func isMeantAsJSON(_ argument: String) -> Bool {
        argument.utf8.first { !" \n\r\t".utf8.contains($0) }.map { "{[\"".utf8.contains($0) } ?? true
    }

    private static func map(of arguments: [String]) throws(UsageError) -> Payload {
        var entries: [(String, Payload)] = []
        var keys = Set<String>()
        for argument in arguments {
            let bytes = argument.utf8
            guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")), sign > bytes.startIndex,
                !isMeantAsJSON(argument), !argument.hasPrefix("@")
            else {
                throw UsageError(
                    message: "expected key=value (or a single JSON text or @FILE), found \(argument.excerpt)")
            }
            let key = String(argument[..<sign])
            guard keys.insert(key).inserted else {
                throw UsageError(message: "the key \(key.excerpt) is given twice")
            }
            let text = String(argument[bytes.index(after: sign)...])
            entries.append((key, (try? Payload(json: text)) ?? .string(text)))
        }
        return .map(entries)
    }
}

extension String {
    /// The text in quotes for a message, without its end when it is long.
    fileprivate var excerpt: String { "'\(escaped.shortenedAtEnd(to: 60))'" }
}
