/// A word, number or sign of the text.
struct Token {
    enum Kind: Equatable {
        case name(String)
        case keyword(Keyword)
        /// As it was written.
        case number(String)
        /// The code of a character constant.
        case character(Int)
        /// The content of a string, escapes resolved.
        case string(String)
        case sign(Sign)
        /// No token of C, with the reason as a sentence.
        case wrong(String)
        case end
    }

    let kind: Kind
    /// Of its first byte.
    let offset: Int

    /// For "there was …".
    var text: String {
        switch kind {
        case .name(let name): "'\(name.shortened)'"
        case .keyword(let keyword): "'\(keyword.rawValue)'"
        case .number(let text): "'\(text.shortened)'"
        case .character: "a character constant"
        case .string: "a string"
        case .sign(let sign): "'\(sign.rawValue)'"
        case .wrong(let reason): reason
        case .end: "the end"
        }
    }
}

extension String {
    /// The text, cut after 60 characters: names of a hostile text may have any length.
    var shortened: String { utf8.count <= 60 ? self : "\(prefix(60))…" }
}
