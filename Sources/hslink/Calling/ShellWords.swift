/// The words of a command in one text, with quotes and backslashes as in a shell; nothing else is special.
struct ShellWords {
    let words: [ShellWord]

    /// - Parameters:
    ///   - text: one command.
    ///   - hasComments: whether a word that begins with a `#` ends the command, as it does in a shell.
    /// - Returns: nil when a quotation mark is open at the end, or the text ends in a backslash.
    init?(_ text: String, hasComments: Bool = false) {
        var words: [ShellWord] = []
        var word: ShellWord?
        var quote: UInt8?
        // Bytes: what is special is ASCII, and no byte of another character looks like it.
        var bytes = text.utf8.makeIterator()
        scan: while let byte = bytes.next() {
            switch (byte, quote) {
            case (UInt8(ascii: "'"), UInt8(ascii: "'")), (UInt8(ascii: "\""), UInt8(ascii: "\"")): quote = nil
            case (UInt8(ascii: "'"), nil), (UInt8(ascii: "\""), nil):
                quote = byte
                word = word ?? ShellWord()
            case (UInt8(ascii: "\\"), nil), (UInt8(ascii: "\\"), UInt8(ascii: "\"")):
                guard let next = bytes.next() else { return nil }
                // Within quotes a backslash stands for itself in front of what needs none.
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

/// A word of a command, and which of its dollar signs no quote and no backslash protects.
struct ShellWord: Equatable {
    private var bytes: [UInt8] = []
    private var dollars: Set<Int> = []

    fileprivate init() {}

    /// A word that a shell has made: nothing in it is special any more.
    init(plain text: String) { bytes = Array(text.utf8) }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether a dollar sign that means something stands at an offset in UTF-8.
    func hasDollar(at offset: Int) -> Bool { dollars.contains(offset) }

    fileprivate mutating func add(_ byte: UInt8, isDollar: Bool) {
        if isDollar { dollars.insert(bytes.count) }
        bytes.append(byte)
    }
}

extension ShellWord? {
    /// In its place: a word may be as long as a payload.
    fileprivate mutating func append(_ byte: UInt8, isDollar: Bool = false) {
        if self == nil { self = ShellWord() }
        self?.add(byte, isDollar: isDollar)
    }
}
