import ComponentKit
import ManifestRules

// A key that nobody reads is mostly a misspelt one: what it was to say would be lost without a word.
extension Payload {
    /// - Throws: when the note of a component, or an object in it, has a key that means nothing.
    func refuseUnknownKeysOfComponent() throws(PayloadError) {
        try refuseUnknownKeys(.component)
        _ = try list("classes") { (item) throws(PayloadError) in try item.refuseUnknownKeysOfClass() }
        _ = try list("requires") { (item) throws(PayloadError) in try item.refuseUnknownKeys(.requirement) }
        _ = try list("services") { (item) throws(PayloadError) in try item.refuseUnknownKeysOfService() }
        _ = try list("models") { (item) throws(PayloadError) in try item.refuseUnknownKeys(.model) }
    }

    func refuseUnknownKeysOfClass() throws(PayloadError) {
        try refuseUnknownKeys(.linkClass)
        _ = try list("selectors") { (item) throws(PayloadError) in try item.refuseUnknownKeys(.selector) }
    }

    func refuseUnknownKeysOfService() throws(PayloadError) {
        try refuseUnknownKeys(.service)
        _ = try list("selectors") { (item) throws(PayloadError) in try item.refuseUnknownKeys(.selector) }
    }

    func refuseUnknownKeysOfModel() throws(PayloadError) { try refuseUnknownKeys(.model) }

    private func refuseUnknownKeys(_ known: KnownKeys) throws(PayloadError) {
        guard let key = firstKey(where: { !known.contains($0) }) else { return }
        throw PayloadError(expected: known.expected(for: key), found: "the key \(key.quoted())")
    }
}
