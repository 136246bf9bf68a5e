extension ManifestChecker {
    /// Reports keys that nobody reads, which mostly are misspelled ones, and those that only a macro may write.
    mutating func checkKeys(of object: JSONObject, known: KnownKeys) {
        for member in object.members where !known.contains(member.key) {
            guard !known.written.contains(member.key) else {
                report("\"\(member.key)\" is written by the macro: remove it", at: member.keyStart)
                continue
            }
            report(
                "unknown key \(member.key.quoted) in \(known.owner): the nearest known key is "
                    + "\"\(known.nearest(to: member.key))\"; a key of your own begins with \"x-\"",
                at: member.keyStart)
        }
    }
}
