import ComponentKit
import Glibc
import SystemSupport

/// The value of `key=value` on the command line, or where it is to be had: what stands on a command line can be read by
/// everybody in the list of processes, and stays in the history of the shell.
enum ValueArgument {
    /// What stands there: JSON or text, as its type has it.
    case written(String)
    /// Text behind `@@`.
    case text(String)
    /// `@-`: standard input to its end.
    case input
    /// `@?`: asked for at the terminal.
    case question
    /// `@env:NAME`: a variable of the environment.
    case variable(String)
    /// `@FILE`.
    case file(String)
    /// `$1`, in a script: what an earlier call has returned.
    case result(Payload)

    /// - Parameters:
    ///   - text: what stands behind the sign.
    ///   - key: for messages.
    /// - Throws: when something is missing behind an @.
    init(_ text: String, of key: String) throws(UsageError) {
        guard text.hasPrefix("@") else {
            self = .written(text)
            return
        }
        let source = String(text.dropFirst())
        if source.hasPrefix("@") {
            self = .text(source)
        } else if source == "-" {
            self = .input
        } else if source == "?" {
            self = .question
        } else if source.hasPrefix("env:") {
            let name = String(source.dropFirst("env:".count))
            guard !name.isEmpty else {
                throw UsageError(
                    message: "\(key.escaped): '@env:' has to be followed by the name of a variable")
            }
            self = .variable(name)
        } else if source.isEmpty {
            throw UsageError(
                message:
                    "\(key.escaped): '@' has to be followed by '-', '?', 'env:NAME' or a file; for text that begins "
                    + "with an @ write '@@'")
        } else {
            self = .file(source)
        }
    }

    /// The value. What comes from elsewhere is text as it is there, without the last line break of an input or a file.
    ///
    /// - Parameters:
    ///   - key: what is asked for, and what messages are about.
    ///   - type: of the parameter, as the manifest has it; nil where that does not say.
    /// - Throws: when it is not to be had, or is not JSON where only that can be meant.
    func payload(of key: String, type: String?) throws(UsageError) -> Payload {
        switch self {
        case .written(let text): return try ValueArgument.value(text, of: key, type: type)
        case .text(let text): return .string(text)
        case .result(let value): return value
        case .input: return try ValueArgument.read("-", "standard input", key)
        case .file(let path): return try ValueArgument.read(path, path.escaped, key)
        case .variable(let name):
            guard let value = unsafe getenv(name) else {
                throw UsageError(message: "\(key.escaped): the variable \(name.escaped) is not set")
            }
            guard let text = unsafe String(validatingCString: value) else {
                throw UsageError(message: "\(key.escaped): the variable \(name.escaped) is not UTF-8")
            }
            return .string(text)
        case .question:
            do throws(InputError) {
                return .string(try TerminalQuestion.ask(key.escaped))
            } catch {
                throw UsageError(message: "\(key.escaped): \(error.message)")
            }
        }
    }

    private static func value(_ text: String, of key: String, type: String?) throws(UsageError) -> Payload {
        let json: Payload
        do throws(PayloadError) {
            json = try Payload(json: text)
        } catch {
            // What a string parameter gets may look as it likes.
            if let type, isText(type) { return .string(text) }
            guard !PayloadArguments.isMeantAsJSON(text) else {
                throw UsageError(
                    message: "\(key.escaped): the value begins like JSON and is none: \(error); "
                        + "a text like that stands in double quotes")
            }
            return .string(text)
        }
        guard let type, isText(type), json.kind != .string else { return json }
        return json.isNull && withoutDefault(type).hasSuffix("?") ? json : .string(text)
    }

    /// Whether values of the type are texts: `String` and what components in C call so, optional or with a default.
    static func isText(_ type: String) -> Bool {
        let name = withoutDefault(type)
        let texts = ["String", "Swift.String", "string", "Substring", "Character", "URL", "UUID"]
        return texts.contains(name.hasSuffix("?") ? String(name.dropLast()) : name)
    }

    private static func withoutDefault(_ type: String) -> String {
        type.split(separator: "=", maxSplits: 1).first.map { $0.split(separator: " ").joined() } ?? type
    }

    private static func read(_ path: String, _ source: String, _ key: String) throws(UsageError) -> Payload {
        var bytes: [UInt8]
        do throws(InputError) {
            bytes = try InputFile.read(path, limit: PayloadLimits.standard.bytes)
        } catch {
            throw UsageError(message: "\(key.escaped): \(source) could not be read: \(error.message)")
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UsageError(message: "\(key.escaped): \(source) is not UTF-8")
        }
        return .string(text)
    }
}
