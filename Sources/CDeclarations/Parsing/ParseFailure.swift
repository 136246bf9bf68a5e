/// Where parsing could not go on, and why. Light, because a hostile text has many: only the first become
/// diagnostics.
struct ParseFailure: Error {
    let message: String
    let offset: Int
    /// Whether it was a name that nothing declares, as the length of a parameter's array may be.
    var isUnknownName = false
    /// Whether nothing but a semicolon was missing.
    var isMissingSemicolon = false
}
