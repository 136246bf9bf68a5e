import SystemSupport

/// The rules for resources in several languages.
enum ResourceLanguages {
    /// Returns the languages of an environment in order of preference; empty for the locale `C`.
    ///
    /// - Parameter variable: returns the value of an environment variable. Empty values are ignored (POSIX, 8.2).
    static func preferred(_ variable: (String) -> String?) -> [String] {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        guard let locale = value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG"),
            let language = tag(of: locale)
        else { return [] }
        let list = (value("LANGUAGE") ?? "").split(separator: ":").compactMap { tag(of: String($0)) }
        return list.isEmpty ? [language] : list
    }

    /// Returns the language of a locale, as in de-DE for `de_DE.UTF-8@euro`; nil for `C` and `POSIX`.
    private static func tag(of locale: String) -> String? {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        guard !["C", "POSIX", ""].contains(name) else { return nil }
        return name.split(separator: "_").joined(separator: "-")
    }

    /// Returns the folders in which a file is looked for, in this order; the empty name stands for the file that has no
    /// language.
    ///
    /// For each language come its own folder and those of the languages that contain it, such as de after de-DE
    /// (RFC 4647, 3.4). Each is spelled with hyphens, with underscores, and in lowercase. The file without a language
    /// follows, then `Base.lproj`, then `en.lproj`.
    static func folders(for languages: [String]) -> [String] {
        var folders: [String] = []
        var known: Set<ExactText> = []
        func add(_ name: String) {
            if known.insert(ExactText(name)).inserted { folders.append(name) }
        }
        func add(language: String) {
            for spelling in [language, language.replacing("-", with: "_"), language.lowercased()] {
                add("\(spelling).lproj")
            }
        }
        for language in languages.prefix(maximumLanguages) where isValid(language) {
            var parts = language.split(separator: "_").joined(separator: "-").split(separator: "-")
            while !parts.isEmpty {
                add(language: parts.joined(separator: "-"))
                parts.removeLast()
                // A single letter only introduces what follows it, as in zh-x-private.
                if parts.last?.utf8.count == 1 { parts.removeLast() }
            }
        }
        add("")
        add(language: "Base")
        add(language: "en")
        return folders
    }

    /// More would only cost time: no one lists so many.
    private static let maximumLanguages = 32

    /// Whether a string can be a language: letters, digits and hyphens or underscores (RFC 5646, 2.1).
    private static func isValid(_ language: String) -> Bool {
        !language.isEmpty && language.utf8.count <= 100
            && language.utf8.allSatisfy { $0.isLetterOrDigitInASCII || "-_".utf8.contains($0) }
    }
}
