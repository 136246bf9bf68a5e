import ComponentKit
import SystemSupport

/// A call as a line of a script says it: `CLASS SELECTOR`, or `$1 SELECTOR` for an object that an earlier call has returned,
/// and the payload as on a command line.
enum ScriptCall {
    case named(DeclaredCall)
    case object(LinkObject, selector: String, PayloadArguments, timeout: Duration?)

    /// - Parameters:
    ///   - line: one that is not empty.
    ///   - timeout: of calls that do not say their own.
    ///   - results: of the calls before.
    /// - Returns: nil for a line with nothing but a comment.
    /// - Throws: what is wrong with the line.
    init?(_ line: String, timeout: Duration?, results: ScriptResults) throws(UsageError) {
        guard let all = ShellWords(line, hasComments: true)?.words else {
            throw UsageError(message: "a quotation mark is open at the end, or there is a backslash")
        }
        let options = try ScriptOptions(all)
        let words = options.words
        guard let target = words.first else {
            guard all.isEmpty else { throw UsageError(message: "expected a class and a selector") }
            return nil
        }
        guard words.count > 1 else {
            throw UsageError(message: "expected a selector behind the class, or behind the object")
        }
        let selector = words[1].text
        let arguments = try PayloadArguments(Array(words[2...]), results: results)
        guard !arguments.takesInput else {
            throw UsageError(
                message: "standard input holds the calls; take a value from @FILE, @env:NAME or an earlier result")
        }
        let timeout = options.timeout ?? timeout
        guard target.hasDollar(at: 0) else {
            self = .named(
                DeclaredCall(
                    className: target.text, selector: selector, arguments: arguments,
                    kind: options.isClassMethod ? .class : nil, timeout: timeout))
            return
        }
        guard !options.isClassMethod else {
            throw UsageError(message: "--class-method: an object has object methods only")
        }
        let value = try results.value(of: target.text)
        do throws(PayloadError) {
            self = .object(try value.object(), selector: selector, arguments, timeout: timeout)
        } catch {
            throw UsageError(message: "\(target.text.escaped) cannot be called: it is \(value.kind), not an object")
        }
    }
}

/// The options on a line of a script, and its other words.
private struct ScriptOptions {
    var words: [ShellWord] = []
    var isClassMethod = false
    var timeout: Duration?

    init(_ all: [ShellWord]) throws(UsageError) {
        var rest = all[...]
        while let word = rest.popFirst() {
            let text = word.text
            if text == "--" {
                words += rest
                return
            } else if text == "--class-method" {
                isClassMethod = true
            } else if text == "--deadline" {
                timeout = try ScriptOptions.seconds(rest.popFirst()?.text ?? "")
            } else if text.hasPrefix("--deadline=") {
                timeout = try ScriptOptions.seconds(String(text.dropFirst("--deadline=".count)))
            } else if text.hasPrefix("--") {
                throw UsageError(
                    message: "\(text.excerpt) is no option of a line; there are --class-method and --deadline")
            } else {
                words.append(word)
            }
        }
    }

    private static func seconds(_ text: String) throws(UsageError) -> Duration {
        guard let seconds = try? Seconds(text) else {
            throw UsageError(message: "--deadline: expected seconds above 0, as in 0.5")
        }
        return seconds.duration
    }
}
