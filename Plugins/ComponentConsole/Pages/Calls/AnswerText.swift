import ComponentKit

/// The answer of a call as JSON for people: shortened, with objects by their names, and bytes in Base64 with their number,
/// as in `{"$bytes": "AAE=", "count": 2}`.
struct AnswerText {
    /// Of at most about the given length.
    let json: String

    /// - Parameters:
    ///   - answer: the answer.
    ///   - longest: how many characters it may have.
    init(_ answer: Payload, longest: Int = 20_000) {
        var shortening = Shortening(left: longest * 9 / 10)
        let shown = shortening.shortened(answer, depth: 0)
        let text = (try? shown.json(pretty: true)) ?? shown.description
        // Escapes take more room than what they stand for.
        json = text.printable(longest)
    }
}

/// Leaves out what is beyond a length.
private struct Shortening {
    /// How many characters are left.
    var left: Int

    private static let longestText = 4000
    private static let mostBytes = 300

    mutating func shortened(_ value: Payload, depth: Int) -> Payload {
        // A line of its own, with its indentation, quotes and a comma.
        left -= 2 * depth + 4
        switch value.kind {
        case .string: return text(value)
        case .bytes: return bytes(value)
        case .array: return items(value, depth: depth + 1)
        case .map: return entries(value, depth: depth + 1)
        case .null, .bool, .int, .uint, .double, .date:
            left -= value.description.utf8.count
            return value
        default: return .string(value.description)
        }
    }

    private mutating func text(_ value: Payload) -> Payload {
        let text = (try? value.string()) ?? ""
        let shown = text.unicodeScalars.prefix(max(min(Shortening.longestText, left), 20))
        left -= shown.count
        let count = text.unicodeScalars.count
        return shown.count < count ? .string("\(String(shown))… (\(count) characters)") : value
    }

    /// Bytes are no text: a text that looks the same stands in quotes.
    private mutating func bytes(_ value: Payload) -> Payload {
        let bytes = (try? value.bytes()) ?? []
        let shown = Array(bytes.prefix(max(min(Shortening.mostBytes, left / 2), 3)))
        // {"$bytes":"AAE="}
        let parts = (try? Payload.bytes(shown).json())?.split(separator: "\"", omittingEmptySubsequences: false) ?? []
        let base64 = parts.count > 3 ? parts[3] : ""
        left -= base64.utf8.count + 40
        return [
            "$bytes": .string(String(base64) + (shown.count < bytes.count ? "…" : "")), "count": Payload(bytes.count),
        ]
    }

    private mutating func items(_ value: Payload, depth: Int) -> Payload {
        var items: [Payload] = []
        for item in (try? value.items()) ?? [] {
            guard left > 0 else {
                items.append(.string("… \(value.count - items.count) more"))
                break
            }
            items.append(shortened(item, depth: depth))
        }
        return .array(items)
    }

    private mutating func entries(_ value: Payload, depth: Int) -> Payload {
        var entries: [(String, Payload)] = []
        for (key, item) in (try? value.entries()) ?? [] {
            guard left > 0 else {
                entries.append(("…", .string("\(value.count - entries.count) more")))
                break
            }
            let shown = key.printable(400)
            left -= shown.unicodeScalars.count + 4
            entries.append((shown, shortened(item, depth: depth)))
        }
        // Keys may be equal once they are shortened.
        return Payload(entries: entries) { first, _ in first }
    }
}
