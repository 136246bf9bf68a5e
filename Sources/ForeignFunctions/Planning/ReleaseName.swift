/// Tells from its name whether a function probably releases a handle.
package enum ReleaseName {
    /// The most probable first: a handle is released by giving back a reference, if there are references.
    private static let words = [
        "unref", "free", "destroy", "release", "delete", "close", "dispose", "cleanup", "finalize", "finish",
        "destruct",
        "terminate", "deinit", "shutdown", "fini", "term", "end", "drop",
    ]
    /// Words that other ones contain by chance.
    private static let short: Set<String> = ["fini", "term", "end", "drop"]
    private static let exceptions = ["freeze", "freed", "closed", "closest", "ended"]

    /// Returns how probable it is that a function releases a handle, beginning with 0 for the most probable names; nil
    /// if its name does not say so.
    package static func rank(_ name: String) -> Int? {
        let parts = LengthName.parts(of: name).filter { part in !exceptions.contains { part.hasPrefix($0) } }
        return words.firstIndex { word in
            parts.contains { part in
                part == word || !short.contains(word) && (part.hasSuffix(word) || part.hasPrefix(word))
            }
        }
    }
}
