extension CDeclarations {
    /// The type of a name that every text may use without declaring it, as `uint8_t`, `size_t` or `FILE`.
    ///
    /// - Returns: nil when it is none of them.
    package static func wellKnownType(named name: String, target: CTarget = .current) -> CType? {
        var scope = Scope(target: target)
        return WellKnownNames.type(named: name, in: &scope)
    }

    /// Whether a word is one of C's own in declarations, so that nothing can be named by it.
    package static func isKeyword(_ word: String) -> Bool { Keyword.spellings[word] != nil }
}
