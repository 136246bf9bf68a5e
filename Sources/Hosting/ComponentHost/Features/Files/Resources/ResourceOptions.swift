import SystemSupport

/// The options of components' resources.
public struct ResourceOptions: Sendable {
    /// The languages of localized resources, in order of preference, as in `["de-DE", "fr"]`.
    ///
    /// The default is that of the environment, as for other programs: `LC_ALL`, else `LC_MESSAGES`, else `LANG` names a
    /// language, as in `de_DE.UTF-8`, and unless it is `C` or `POSIX`, a list in `LANGUAGE` takes precedence. It is read
    /// when the options are made.
    public var languages: [String]

    /// Creates options with the default values.
    public init() { languages = ResourceLanguages.preferred(RunningProgram.variable) }
}
