import ManifestRules
import SystemSupport

extension String {
    /// Returns a hint at the name that was probably meant instead of this one, to end a message; empty if there is none.
    func meant(among names: [String]) -> String {
        SimilarName.nearest(to: self, in: names).map { "; did you mean \($0.quoted())?" } ?? ""
    }

    /// Returns the name that was probably meant instead of this one, or else all names.
    func instead(of names: [String]) -> String {
        if let similar = SimilarName.nearest(to: self, in: names) { return "did you mean \(similar.quoted())?" }
        return names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
    }
}
