/// A line of the preprocessor, `# word tokens…`.
struct Directive {
    let word: String
    /// What follows the word, with an end.
    let tokens: [Token]
    /// How many tokens of the text come before it.
    let position: Int
    /// Of the number sign.
    let offset: Int
}
