import ComponentKit
import SystemSupport

/// What the calls of a script have returned, by their numbers.
struct ScriptResults {
    /// Nil for one that has failed.
    private var results: [Payload?] = []

    /// Adds what the next call has returned; nil when it has failed.
    mutating func add(_ result: Payload?) { results.append(result) }

    /// The result that a reference names, or a part of it.
    ///
    /// - Parameter reference: as in `$1`, `$1.name` and `$1.rows.0`. Where it is none it is not shown: it may be a
    ///   password that begins with a dollar sign.
    /// - Throws: when there is no such result or part.
    func value(of reference: String) throws(UsageError) -> Payload {
        let parts = reference.dropFirst().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let first = parts.first, let number = ScriptResults.number(first), number > 0 else {
            throw UsageError(
                message: "what begins with a dollar sign is an earlier result, as in $1 or $1.key; "
                    + "put a dollar sign itself into single quotes")
        }
        guard number <= results.count else {
            throw UsageError(
                message: "there is no result $\(first): this is call \(results.count + 1); earlier ones have results")
        }
        guard var value = results[number - 1] else {
            throw UsageError(
                message: "there is no result $\(number): that call has failed, or its result could not leave the host")
        }
        for (depth, part) in parts.enumerated().dropFirst() {
            guard let next = value[part] ?? ScriptResults.number(part).flatMap({ value[$0] }) else {
                let place = ["$\(number)"] + parts[1..<depth]
                throw UsageError(
                    message: "\(place.joined(separator: ".").escaped) has no entry \(part.excerpt); it is "
                        + value.kind.description)
            }
            value = next
        }
        return value
    }

    /// The same for the value of a key.
    func value(of reference: String, for key: String) throws(UsageError) -> Payload {
        do throws(UsageError) {
            return try value(of: reference)
        } catch {
            throw UsageError(message: "\(key.escaped): \(error.message)")
        }
    }

    private static func number(_ text: String) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }
}
