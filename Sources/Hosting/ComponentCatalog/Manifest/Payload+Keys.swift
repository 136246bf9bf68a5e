package import ComponentKit
import SystemSupport

extension Payload {
    /// Refuses a map with keys that its reader does not know, which are probably misspelt.
    ///
    /// - Throws: `PayloadError` if there is one, or if this is not a map.
    package func refuseKeys(besides known: [String]) throws(PayloadError) {
        for (key, _) in try entries() where !known.contains(key) {
            throw PayloadError(
                expected: "one of the keys \(known.joined(separator: ", "))", found: "the key \(key.quoted())")
        }
    }
}
