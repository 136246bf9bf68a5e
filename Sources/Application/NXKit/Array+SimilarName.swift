import ManifestRules

extension [String] {
    /// Returns the name among these that was probably meant: the one with the fewest typing errors relative to `text`;
    /// failing that, the first that begins with `text`; nil if none is close. Case is ignored.
    public func similarName(to text: String) -> String? { SimilarName.nearest(to: text, in: self) }
}
