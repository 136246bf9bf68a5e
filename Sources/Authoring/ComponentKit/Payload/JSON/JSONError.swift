/// The reason why a text is not the JSON of a payload, with its place in the text.
package struct JSONError: Error {
    /// What was expected and what was found, without the place in the text.
    package let error: PayloadError
    /// Where it was found; nil for the text as a whole, which is too large or has too many values.
    package let place: TextPlace?
    /// Whether a map has a key twice.
    package let isAboutSameKeys: Bool

    init(_ error: PayloadError, at place: TextPlace?, isAboutSameKeys: Bool = false) {
        self.error = error
        self.place = place
        self.isAboutSameKeys = isAboutSameKeys
    }

    /// The error of a payload that says where it was found in its text.
    var inWords: PayloadError {
        guard let place else { return error }
        var error = error
        error.found += " at \(place)"
        return error
    }
}
