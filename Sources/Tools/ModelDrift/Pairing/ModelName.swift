/// The name of a type, which may begin with the prefix of its module.
struct ModelName {
    /// The prefixes without an underscore, from `--prefix`.
    let prefixes: [String]

    /// - Parameter prefixes: Further prefixes, longest first.
    init(prefixes: [String]) { self.prefixes = prefixes.sorted { ($1.count, $0) < ($0.count, $1) } }

    /// Returns the name of the model for the name of one copy, and whether the name had a prefix: `SFUserInfo` for
    /// `A_SFUserInfo`.
    func model(of name: String) -> (name: String, hasPrefix: Bool) {
        // A further prefix ends where a word begins, as in ShopUserInfo.
        for prefix in prefixes where name.hasPrefix(prefix) {
            let rest = name.dropFirst(prefix.count).drop { $0 == "_" }
            if rest.first?.isUppercase == true { return (String(rest), true) }
        }
        guard let underscore = name.firstIndex(of: "_"), underscore != name.startIndex else { return (name, false) }
        let rest = name[underscore...].drop { $0 == "_" }
        guard rest.first?.isLetter == true, name.first?.isLetter == true else { return (name, false) }
        return (String(rest), true)
    }

    /// Returns the name of a model that a mark refers to, by the name of the original or of any other copy.
    func model(ofPath path: String) -> String {
        path.split(separator: ".").map { model(of: String($0)).name }.joined(separator: ".")
    }
}
