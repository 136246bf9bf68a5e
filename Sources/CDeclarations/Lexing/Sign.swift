/// The signs of C, as far as declarations and constant expressions have them.
enum Sign: String, CaseIterable {
    case ellipsis = "..."
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case equal = "=="
    case notEqual = "!="
    case and = "&&"
    case or = "||"
    case leftParenthesis = "("
    case rightParenthesis = ")"
    case leftBracket = "["
    case rightBracket = "]"
    case leftBrace = "{"
    case rightBrace = "}"
    case semicolon = ";"
    case comma = ","
    case colon = ":"
    case question = "?"
    case star = "*"
    case ampersand = "&"
    case bar = "|"
    case caret = "^"
    case tilde = "~"
    case exclamation = "!"
    case plus = "+"
    case minus = "-"
    case slash = "/"
    case percent = "%"
    case less = "<"
    case greater = ">"
    case assign = "="
    case dot = "."

    /// Those that begin with a byte, the longest first.
    static let byFirstByte: [[(bytes: [UInt8], sign: Sign)]] = {
        var table = [[(bytes: [UInt8], sign: Sign)]](repeating: [], count: 128)
        for sign in allCases {
            let bytes = Array(sign.rawValue.utf8)
            table[Int(bytes[0])].append((bytes, sign))
        }
        return table.map { $0.sorted { $0.bytes.count > $1.bytes.count } }
    }()
}
