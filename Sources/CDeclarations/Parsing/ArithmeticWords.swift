/// The words of a number's type, which C allows in any order.
struct ArithmeticWords {
    private var counts: [Keyword: Int] = [:]

    /// As they were written, as far as they fit into a message.
    private(set) var text = ""

    var isEmpty: Bool { counts.isEmpty }

    mutating func add(_ word: Keyword) {
        if text.utf8.count < 60 { text += (text.isEmpty ? "" : " ") + word.rawValue }
        counts[word, default: 0] += 1
    }

    func contains(_ word: Keyword) -> Bool { counts[word] != nil }

    /// - Returns: nil when no type is written like this.
    func type() -> CType? {
        guard counts.allSatisfy({ $0.value == 1 || ($0.key == .long && $0.value == 2) }) else { return nil }
        let longs = counts[.long] ?? 0
        let isUnsigned = contains(.unsigned)
        let isSigned = contains(.signed)
        if isUnsigned && isSigned { return nil }
        var words = counts
        for word in [Keyword.long, .signed, .unsigned, .int] { words[word] = nil }
        let hasIntegerWord = isSigned || isUnsigned || contains(.int)
        if words.isEmpty {
            let scalar: CScalar =
                switch (longs, isUnsigned) {
                case (0, false): .int
                case (0, true): .unsignedInt
                case (1, false): .long
                case (1, true): .unsignedLong
                case (_, false): .longLong
                case (_, true): .unsignedLongLong
                }
            return .scalar(scalar)
        }
        if contains(.complex) || contains(.imaginary) {
            words[.complex] = nil
            guard !hasIntegerWord, words.keys.allSatisfy({ $0 == .float || $0 == .double }), words.count <= 1,
                longs == 0 || (longs == 1 && !contains(.float)), !contains(.imaginary)
            else { return nil }
            let scalar: CScalar = contains(.float) ? .float : longs == 1 ? .longDouble : .double
            let layout = CLayout(size: scalar.size * 2, alignment: scalar.size)
            return CType(.unsupported(.notPassed("\(scalar.rawValue) _Complex", layout)))
        }
        guard words.count == 1, let word = words.keys.first else { return nil }
        let hasSign = isSigned || isUnsigned
        switch word {
        case .char where longs == 0 && !contains(.int):
            return .scalar(isUnsigned ? .unsignedChar : isSigned ? .signedChar : .char)
        case .short where longs == 0: return .scalar(isUnsigned ? .unsignedShort : .short)
        case .void where longs == 0 && !hasIntegerWord: return .void
        case .bool where longs == 0 && !hasIntegerWord: return .scalar(.bool)
        case .float where longs == 0 && !hasIntegerWord: return .scalar(.float)
        case .double where longs <= 1 && !hasIntegerWord: return .scalar(longs == 1 ? .longDouble : .double)
        case .int128 where longs == 0 && !contains(.int):
            let name = (isUnsigned && hasSign ? "unsigned " : "") + "__int128"
            return CType(.unsupported(.notPassed(name, CLayout(size: 16, alignment: 16))))
        default: return nil
        }
    }
}
