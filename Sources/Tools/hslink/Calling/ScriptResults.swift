import ComponentKit
import SystemSupport

/// The results of a script's calls, by number.
struct ScriptResults {
    /// A result is nil if its call failed or the result could not leave the host.
    private var results: [Payload?] = []

    /// Adds the result of the next call; nil if there is none.
    mutating func add(_ result: Payload?) { results.append(result) }

    /// Returns the result that a reference names, or a part of it.
    ///
    /// - Parameter reference: a reference such as `$1`, `$1.name` or `$1.rows.0`. If it is malformed, the message does
    ///   not show it: it may be a password that begins with a dollar sign.
    /// - Throws: a ``UsageError`` if there is no such result or part.
    func value(of reference: String) throws(UsageError) -> Payload {
        let parts = reference.without(exactPrefix: "$").exactParts(between: ".", omittingEmpty: false)
        guard let first = parts.first, let number = ScriptResults.number(first), number > 0 else {
            throw UsageError(
                "a dollar sign refers to an earlier result, as in $1 or $1.key; "
                    + "put a literal dollar sign in single quotes")
        }
        guard number <= results.count else {
            throw UsageError(
                "there is no result $\(first): this is call \(results.count + 1); "
                    + "only earlier calls have results")
        }
        guard var value = results[number - 1] else {
            throw UsageError("there is no result $\(number): the call failed, or its result could not leave the host")
        }
        for (depth, part) in parts.enumerated().dropFirst() {
            guard let next = value[part] ?? ScriptResults.number(part).flatMap({ value[$0] }) else {
                let place = ["$\(number)"] + parts[1..<depth]
                throw UsageError(
                    "\(place.joined(separator: ".").escaped) has no entry \(part.excerpt); its type is "
                        + value.kind.description)
            }
            value = next
        }
        return value
    }

    /// Returns the result that a reference names, for the value of a key. Errors name the key.
    func value(of reference: String, for key: String) throws(UsageError) -> Payload {
        do throws(UsageError) {
            return try value(of: reference)
        } catch {
            throw UsageError("\(key.escaped): \(error.message)")
        }
    }

    private static func number(_ text: String) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }
}
