import ManifestRules

/// The rule for the names of pages, sections and modules, which is that of the macro `@PageModule`.
public enum PageName {
    /// A description of the allowed names, to follow the word "expected".
    public static var expected: String { TextRule.pageModule.expected }

    /// Whether the text is such a name.
    public static func allows(_ text: String) -> Bool { TextRule.pageModule.allows(text) }
}
