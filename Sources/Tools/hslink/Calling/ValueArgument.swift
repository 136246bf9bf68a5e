import ComponentHost
import ComponentKit
import Glibc
import SystemSupport

/// The value of `key=value` on the command line, or its source. Secrets need another source than the command line,
/// which every user can read in the list of processes, and which the shell keeps in its history.
enum ValueArgument {
    /// The literal value: JSON or text, depending on the parameter's type.
    case written(String)
    /// `@@text`: text that begins with an `@`.
    case text(String)
    /// `@-`: standard input to its end.
    case input
    /// `@?`: a line typed at the terminal.
    case question
    /// `@env:NAME`: an environment variable.
    case variable(String)
    /// `@FILE`: the contents of a file.
    case file(String)
    /// `$1`, in a script: the result of an earlier call.
    case result(Payload)

    /// - Parameters:
    ///   - text: the text after the equals sign.
    ///   - key: the key, for messages.
    /// - Throws: a ``UsageError`` if something is missing after an `@`.
    init(_ text: String, of key: String) throws(UsageError) {
        // By bytes, since a combining mark may follow.
        guard text.hasExactPrefix("@") else {
            self = .written(text)
            return
        }
        let source = text.without(exactPrefix: "@")
        if source.hasExactPrefix("@") {
            self = .text(source)
        } else if source == "-" {
            self = .input
        } else if source == "?" {
            self = .question
        } else if source.hasExactPrefix("env:") {
            let name = source.without(exactPrefix: "env:")
            guard !name.isEmpty else {
                throw UsageError("\(key.escaped): expected the name of a variable after '@env:'")
            }
            self = .variable(name)
        } else if source.isEmpty {
            throw UsageError(
                "\(key.escaped): expected '-', '?', 'env:NAME' or a file after '@'; for text that begins "
                    + "with an @, write '@@'")
        } else {
            self = .file(source)
        }
    }

    /// Returns the value. A value from another source is text, without the last line break of standard input or a file.
    ///
    /// - Parameters:
    ///   - key: the key, for the prompt and for messages.
    ///   - type: the parameter's type in the manifest; nil if the manifest does not declare it.
    ///   - closures: makes closures; nil if the host is in another process.
    /// - Throws: a ``UsageError`` if the source cannot be read, if the value begins like JSON but is malformed, or if
    ///   a closure cannot be given.
    func payload(
        of key: String, type: String?, closures: PrintingClosures? = nil
    ) throws(UsageError) -> Payload {
        switch self {
        case .file("print") where type.map({ WrittenType($0).type.isClosure }) ?? false:
            return try ValueArgument.closure(of: key, type: type ?? "", from: closures)
        case .written(let text): return try ValueArgument.value(text, of: key, type: type)
        case .text(let text): return .string(text)
        case .result(let value): return value
        case .input: return try ValueArgument.read("-", source: "standard input", key: key)
        case .file(let path): return try ValueArgument.read(path, source: path.escaped, key: key)
        case .variable(let name):
            guard let value = unsafe getenv(name) else {
                throw UsageError("\(key.escaped): the variable \(name.escaped) is not set")
            }
            guard let text = unsafe String(validatingCString: value) else {
                throw UsageError("\(key.escaped): the variable \(name.escaped) is not UTF-8")
            }
            return .string(text)
        case .question:
            do throws(InputError) {
                return .string(try TerminalQuestion.ask(key.escaped))
            } catch {
                throw UsageError("\(key.escaped): \(error.message)")
            }
        }
    }

    private static func closure(
        of key: String, type: String, from closures: PrintingClosures?
    ) throws(UsageError) -> Payload {
        guard WrittenType(type).type.isClosureThatMayAnswerNothing else {
            throw UsageError(
                "\(key.escaped): @print answers nothing, but \(type.escaped) has a result; call the method from a "
                    + "program or a component")
        }
        guard let closures else {
            throw UsageError(
                "\(key.escaped): a closure cannot be sent to a running host; leave out --host, and give its "
                    + "directories with --plugins")
        }
        return closures.closure(for: key)
    }

    private static func value(_ text: String, of key: String, type: String?) throws(UsageError) -> Payload {
        let json: Payload
        do throws(PayloadError) {
            json = try Payload(json: text)
        } catch {
            // Any text is valid for a string parameter.
            if let type, isText(type) { return .string(text) }
            guard !PayloadArguments.isMeantAsJSON(text) else {
                throw UsageError(
                    "\(key.escaped): the value begins like JSON but is malformed: \(error.text(root: nil)); "
                        + "if it is meant as text, put it in double quotes")
            }
            // JSON has the number, but a payload cannot hold it.
            if let type, isNumber(type), PayloadArguments.isNumber(text) {
                throw UsageError("\(key.escaped): \(error.text(root: nil))")
            }
            return .string(text)
        }
        guard let type, isText(type), json.kind != .string else { return json }
        return json.isNull && withoutDefault(type).hasSuffix("?") ? json : .string(text)
    }

    /// Returns whether values of the type are JSON strings: `String`, `string` as C components declare it, and the
    /// like, also if optional or with a default.
    static func isText(_ type: String) -> Bool {
        let name = withoutDefault(type)
        let texts = ["String", "Swift.String", "string", "Substring", "Character", "URL", "UUID"]
        return texts.contains(name.hasSuffix("?") ? String(name.dropLast()) : name)
    }

    /// Returns whether values of the type are numbers, also if optional or with a default.
    private static func isNumber(_ type: String) -> Bool {
        let name = withoutDefault(type)
        let numbers = [
            "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
            "int", "double",
        ]
        return numbers.contains(name.hasSuffix("?") ? String(name.dropLast()) : name)
    }

    private static func withoutDefault(_ type: String) -> String {
        type.split(separator: "=", maxSplits: 1).first.map { $0.split(separator: " ").joined() } ?? type
    }

    private static func read(_ path: String, source: String, key: String) throws(UsageError) -> Payload {
        var bytes: [UInt8]
        do throws(InputError) {
            bytes = try InputFile.read(path, limit: PayloadLimits.standard.bytes)
        } catch {
            throw UsageError("\(key.escaped): \(source) could not be read: \(error.message)")
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UsageError("\(key.escaped): \(source) is not UTF-8")
        }
        return .string(text)
    }
}
