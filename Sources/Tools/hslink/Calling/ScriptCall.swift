import ComponentKit
import SystemSupport

/// A call on a line of a script: `CLASS SELECTOR`, or `$1 SELECTOR` for an object that an earlier call returned,
/// followed by the payload as on a command line.
enum ScriptCall {
    case named(DeclaredCall)
    case object(LinkObject, selector: String, PayloadArguments, timeout: Duration?)

    /// Parses a line; nil if it is blank or only a comment.
    ///
    /// - Parameters:
    ///   - line: the line.
    ///   - limit: the limit if the line does not specify one. The standard limit does not apply to objects: the next
    ///     value of a stream may come at any time.
    ///   - results: the results of the earlier calls.
    /// - Throws: a ``UsageError`` if the line is not a call.
    init?(_ line: String, limit: CallLimit, results: ScriptResults) throws(UsageError) {
        guard let all = ShellWords(line, hasComments: true)?.words else {
            throw UsageError("a quotation mark is not closed, or a backslash ends the line")
        }
        let options = try ScriptOptions(all)
        let words = options.words
        guard let target = words.first else {
            guard all.isEmpty else { throw UsageError("expected a class and a selector") }
            return nil
        }
        guard words.count > 1 else {
            throw UsageError("expected a selector after the class or the object")
        }
        let selector = words[1].text
        let arguments = try PayloadArguments(Array(words[2...]), results: results)
        guard !arguments.takesInput else {
            throw UsageError("standard input contains the calls; use @FILE, @env:NAME or an earlier result for a value")
        }
        let limit = options.limit ?? limit
        guard target.hasDollar(at: 0) else {
            self = .named(
                DeclaredCall(
                    className: target.text, selector: selector, arguments: arguments,
                    kind: options.isClassMethod ? .class : nil, limit: limit))
            return
        }
        guard !options.isClassMethod else {
            throw UsageError("--class-method: an object has only object methods")
        }
        let value = try results.value(of: target.text)
        do throws(PayloadError) {
            self = .object(
                try value.object(), selector: selector, arguments, timeout: limit.isStandard ? nil : limit.duration)
        } catch {
            throw UsageError("\(target.text.escaped) cannot be called: expected object, found \(value.kind)")
        }
    }
}

/// The options on a line of a script, and its other words.
private struct ScriptOptions {
    var words: [ShellWord] = []
    var isClassMethod = false
    var limit: CallLimit?

    init(_ all: [ShellWord]) throws(UsageError) {
        var rest = all[...]
        while let word = rest.popFirst() {
            let text = word.text
            if text == "--" {
                words += rest
                return
            } else if text == "--class-method" {
                isClassMethod = true
            } else if text == "--deadline" || text == "--timeout" {
                limit = try ScriptOptions.limit(rest.popFirst()?.text ?? "", text)
            } else if let option = ["--deadline", "--timeout"].first(where: { text.hasExactPrefix("\($0)=") }) {
                limit = try ScriptOptions.limit(text.without(exactPrefix: "\(option)="), option)
            } else if text.hasExactPrefix("--") {
                throw UsageError("\(text.excerpt) is not an option here; expected --class-method or --deadline")
            } else {
                words.append(word)
            }
        }
    }

    private static func limit(_ text: String, _ option: String) throws(UsageError) -> CallLimit {
        guard let limit = try? CallLimit(text) else {
            throw UsageError("\(option): \(CallLimit.expectation)")
        }
        return limit
    }
}
