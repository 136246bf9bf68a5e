import TestSupport

/// Writes constant expressions and declarators of all kinds, the same in each run.
struct ExpressionGenerator {
    private var random: SplitMix64

    private static let words = [
        "int", "unsigned", "long unsigned int", "char", "short signed", "long long", "double", "long double", "_Bool",
        "unsigned char", "float", "struct tag", "size_t", "void *", "char unsigned",
    ]
    private static let literals = [
        "0", "1", "7", "0x7fffffff", "0x80000000", "2147483648", "4294967295u", "0x7fffffffffffffff", "1ul", "3LL",
        "'a'",
        "'\\377'", "010", "0b11", "sizeof(long)", "sizeof(char[3])", "_Alignof(short)", "18446744073709551615u",
    ]
    private static let operators = [
        "+", "-", "*", "/", "%", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&", "|", "^", "&&", "||",
    ]
    private static let casts = [
        "(char)", "(unsigned char)", "(short)", "(unsigned)", "(long)", "(_Bool)", "(unsigned long)",
    ]

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func expression(depth: Int = 0) -> String {
        switch depth < 5 ? Int.random(in: 0..<8, using: &random) : 0 {
        case 0, 1: return pick(ExpressionGenerator.literals)
        case 2: return "(\(expression(depth: depth + 1)))"
        case 3: return pick(["-", "~", "!", "+", "- "]) + " " + expression(depth: depth + 1)
        case 4: return pick(ExpressionGenerator.casts) + "(" + expression(depth: depth + 1) + ")"
        case 5:
            let parts = (0..<3).map { _ in "(" + expression(depth: depth + 2) + ")" }
            return "(\(parts[0]) ? \(parts[1]) : \(parts[2]))"
        default:
            return expression(depth: depth + 1) + " " + pick(ExpressionGenerator.operators) + " "
                + expression(depth: depth + 1)
        }
    }

    /// Returns an unusual declaration of a name that is a function, pointer or array.
    mutating func declaration(of name: String) -> String {
        let inner = "*" + qualifier() + " " + name
        return pick(ExpressionGenerator.words) + " "
            + derived(chance(2) ? inner : "(\(inner))", depth: 0, isObject: true)
    }

    /// Adds parentheses around a pointer.
    private mutating func derived(_ inner: String, depth: Int, isObject: Bool) -> String {
        switch depth < 4 ? Int.random(in: 0..<6, using: &random) : 0 {
        case 0, 1: return inner
        case 2: return derived("*\(qualifier()) \(inner)", depth: depth + 1, isObject: true)
        case 3:
            return derived("*(\(inner)[\(Int.random(in: 1...4, using: &random))])", depth: depth + 1, isObject: true)
        case 4: return "(*(\(inner))(\(parameters(depth: depth + 1))))"
        default: return "(\(inner))(\(parameters(depth: depth + 1)))"
        }
    }

    private mutating func parameters(depth: Int) -> String {
        if depth > 3 || chance(6) { return "void" }
        let list = (0..<Int.random(in: 1...3, using: &random)).map { index -> String in
            let name = chance(3) ? "" : "p\(index)"
            let word = pick(ExpressionGenerator.words)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: return "\(word) \(name)[\(chance(2) ? "" : "3")][2]"
            case 1: return "\(word) (*\(name))(\(parameters(depth: depth + 1)))"
            case 2: return "const \(word) *\(qualifier()) \(name)"
            case 3: return "int \(name)(\(parameters(depth: depth + 1)))"
            case 4: return "\(word) *" + derived("*\(name)", depth: depth + 2, isObject: true)
            default: return word == "struct tag" ? "int volatile \(name)" : "\(word) \(name)"
            }
        }
        return list.joined(separator: ", ") + (chance(5) ? ", ..." : "")
    }

    private mutating func qualifier() -> String { pick(["", "", "const", "volatile", "const volatile"]) }

    private mutating func chance(_ inverse: Int) -> Bool { Int.random(in: 0..<inverse, using: &random) == 0 }

    private mutating func pick<T>(_ all: [T]) -> T { all[Int.random(in: 0..<all.count, using: &random)] }
}
