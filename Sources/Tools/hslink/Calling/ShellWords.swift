/// The words of a command, split as in a shell. Only spaces, quotes, backslashes and, on request, comments are special.
struct ShellWords {
    let words: [ShellWord]

    /// Splits a command; nil if a quotation mark is not closed or the text ends in a backslash.
    ///
    /// - Parameters:
    ///   - text: one command.
    ///   - hasComments: whether a word that begins with a `#` starts a comment, as in a shell.
    init?(_ text: String, hasComments: Bool = false) {
        var words: [ShellWord] = []
        var word: ShellWord?
        var quote: UInt8?
        // Bytes suffice: all special characters are ASCII, and no byte of a longer UTF-8 sequence is.
        var bytes = text.utf8.makeIterator()
        scan: while let byte = bytes.next() {
            switch (byte, quote) {
            case (UInt8(ascii: "'"), UInt8(ascii: "'")), (UInt8(ascii: "\""), UInt8(ascii: "\"")): quote = nil
            case (UInt8(ascii: "'"), nil), (UInt8(ascii: "\""), nil):
                quote = byte
                word = word ?? ShellWord()
            case (UInt8(ascii: "\\"), nil), (UInt8(ascii: "\\"), UInt8(ascii: "\"")):
                guard let next = bytes.next() else { return nil }
                // Inside double quotes, a backslash before an ordinary character is literal.
                if quote != nil, !"\"\\$".utf8.contains(next) { word.append(byte) }
                word.append(next)
            case (UInt8(ascii: " "), nil), (UInt8(ascii: "\t"), nil), (UInt8(ascii: "\n"), nil):
                if let word { words.append(word) }
                word = nil
            case (UInt8(ascii: "#"), nil) where hasComments && word == nil: break scan
            case (UInt8(ascii: "$"), nil), (UInt8(ascii: "$"), UInt8(ascii: "\"")):
                word.append(byte, isDollar: true)
            default: word.append(byte)
            }
        }
        guard quote == nil else { return nil }
        if let word { words.append(word) }
        self.words = words
    }
}

/// A word of a command, and the positions of its dollar signs that are not quoted or escaped.
struct ShellWord: Equatable {
    private var bytes: [UInt8] = []
    private var dollars: Set<Int> = []

    fileprivate init() {}

    /// A word that a shell has already split: none of its characters is special.
    init(plain text: String) { bytes = Array(text.utf8) }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Returns whether there is an unquoted dollar sign at a UTF-8 offset.
    func hasDollar(at offset: Int) -> Bool { dollars.contains(offset) }

    fileprivate mutating func add(_ byte: UInt8, isDollar: Bool) {
        if isDollar { dollars.insert(bytes.count) }
        bytes.append(byte)
    }
}

extension ShellWord? {
    /// Appends in place, because a word may be as long as a payload.
    fileprivate mutating func append(_ byte: UInt8, isDollar: Bool = false) {
        if self == nil { self = ShellWord() }
        self?.add(byte, isDollar: isDollar)
    }
}
