import SystemSupport

/// Asks clang for the values of macros that use what only a compiler knows, such as macros with parameters.
enum MacroValues {
    private static let number = "hslink_number_"
    private static let text = "hslink_text_"

    /// Returns the values of macros without parameters, as expressions of C. Those that are neither whole numbers nor
    /// texts are missing.
    ///
    /// - Parameter clang: The compiler, set up for the headers that define the macros.
    /// - Throws: `ImportError` if clang cannot be run.
    static func values(of macros: [MacroDefinition], _ clang: Clang) throws(ImportError) -> [String: String] {
        let macros = macros.filter(\.isWhole)
        guard !macros.isEmpty else { return [:] }
        // What is no such value is an error of one line, and does not keep clang from the others.
        let questions = macros.enumerated().map { index, macro in
            "enum { \(number)\(index) = (\(macro.name)) };\nstatic const char \(text)\(index)[] = \(macro.name);\n"
        }
        let dump = ["-Xclang", "-ast-dump=json", "-Xclang", "-ast-dump-filter=hslink_"]
        let run = try clang.run(["-fsyntax-only", "-ferror-limit=0"] + dump, after: questions.joined())
        var reader = SyntaxReader(run.standardOutput)
        var values: [String: String] = [:]
        for node in try reader.readChosen() {
            if let index = Int(node.name, after: number), macros.indices.contains(index) {
                values[macros[index].name] = node.constant.flatMap { Int128($0) }.map(MacroConstants.text)
            } else if let index = Int(node.name, after: text), macros.indices.contains(index) {
                guard let literal = node.literal, literal.hasPrefix("\"") else { continue }
                values[macros[index].name] = literal
            }
        }
        return values
    }
}

extension MacroDefinition {
    /// Whether the brackets of what it expands to belong together. If not, it would take in what follows.
    fileprivate var isWhole: Bool {
        var open = 0
        for byte in body.utf8 {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): open -= 1
            default: break
            }
            guard open >= 0 else { return false }
        }
        return open == 0
    }
}

extension SyntaxNode {
    /// The value of an enumerator; nil if it has none. One that needs more than an `int` is cast to its type.
    fileprivate var constant: String? {
        var node = children.first
        while let current = node, current.kind == "ImplicitCastExpr" { node = current.children.first }
        return node?.kind == "ConstantExpr" ? node?.value : nil
    }

    /// The text with which a variable begins, in quotation marks; nil if it begins with something else.
    fileprivate var literal: String? {
        var node = children.first
        while let current = node, current.kind == "ParenExpr" { node = current.children.first }
        return node?.kind == "StringLiteral" ? node?.value : nil
    }
}

extension Int {
    /// The number behind a prefix; nil if the text is something else.
    fileprivate init?(_ text: String, after prefix: String) {
        guard text.hasPrefix(prefix) else { return nil }
        self.init(text.dropFirst(prefix.count))
    }
}
