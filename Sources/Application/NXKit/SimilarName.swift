import ManifestRules

/// Suggestions for names that people mistype.
public enum SimilarName {
    /// Returns the name that was probably meant: the one with the fewest typing errors relative to `text`; failing that,
    /// the first that begins with `text`; nil if none is close. Case is ignored.
    public static func nearest(to text: String, in names: [String]) -> String? { NearMiss.nearest(to: text, in: names) }
}
