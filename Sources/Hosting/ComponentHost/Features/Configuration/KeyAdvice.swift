import SystemSupport

/// What to do about a key that is in the section of no component, because the name of a component is separated from the
/// rest of the key at another place.
struct KeyAdvice {
    let text: String

    /// Returns nil if there is nothing to say.
    ///
    /// - Parameters:
    ///   - form: how the origin of the key writes keys.
    ///   - names: the names of the components.
    init?(_ found: ConfigurationKey, in form: ConfigurationOrigin.Form, names: [String]) {
        let whole = "\(found)"
        let candidates = names.filter { whole.hasExactPrefix($0 + ".") }
        guard let name = candidates.max(by: { $0.utf8.count < $1.utf8.count }) else { return nil }
        if case .texts = form {
            // As in "--set com.example.Video.timeout=10".
            let right = ConfigurationKey([name, whole.without(exactPrefix: name + ".")]).text
            text = "; a dot is written twice in the name of a component, and only there: \(right.escaped)"
            return
        }
        let section = found.section.text
        text =
            section.hasExactPrefix(name + ".")
            // As in "News.proxy: …", since the outermost keys of a file are names as a whole.
            ? "; write the key \(section.without(exactPrefix: name + ".").escaped) in the section of \(name)"
            // As in "com: {example: {Video: …}}".
            : "; write the name of the component as one key: \(name)"
    }
}
