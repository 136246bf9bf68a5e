import CDeclarations

/// The macros of the headers: those that expand to integers, floating-point numbers and texts, and the others.
struct MacroConstants {
    /// A macro with a value.
    struct Constant {
        let name: String
        /// The `#define` with the value.
        let text: String
    }

    /// The constants, in order.
    let constants: [Constant]
    /// The macros without a value, in order. Macros that expand to nothing only switch something on.
    let omissions: [ImportedHeader.Omission]

    /// Evaluates the macros.
    ///
    /// - Parameters:
    ///   - macros: All macros, in order.
    ///   - types: The declarations that macros may use, such as enums.
    ///   - clang: The compiler, which knows the values of further macros.
    ///   - isWanted: Returns whether a macro may become part of a description.
    /// - Throws: `ImportError` if clang cannot be run.
    init(
        _ macros: [MacroDefinition], types: [CSource], clang: Clang, isWanted: (String) -> Bool
    ) throws(ImportError) {
        let macros = macros.filter { $0.hasParameters || !$0.body.isEmpty }
        let all = CSource(name: "macros", text: macros.filter { !$0.hasParameters }.map { "\($0.text)\n" }.joined())
        // Parse the text twice because a macro may use others that are defined later.
        let found = CDeclarations(parsing: types + [all, all])
        var texts = MacroConstants.texts(in: found)
        let open = macros.filter { $0.isNamed && !$0.hasParameters && texts[$0.name] == nil && isWanted($0.name) }
        let values = try MacroValues.values(of: open, clang).map { "#define \($0.key) \($0.value)\n" }
        let asked = MacroConstants.texts(in: CDeclarations(parsing: [CSource(name: "values", text: values.joined())]))
        texts.merge(asked) { first, _ in first }
        var seen: Set<String> = []
        var constants: [Constant] = []
        var omissions: [ImportedHeader.Omission] = []
        for macro in macros where macro.isNamed && seen.insert(macro.name).inserted {
            if !macro.hasParameters, let text = texts[macro.name] {
                constants.append(Constant(name: macro.name, text: "#define \(macro.name) \(text)"))
            } else {
                let reason =
                    macro.hasParameters
                    ? "macro with parameters: expanded by compilers, not in the library"
                    : "macro: it expands to neither a number nor a string"
                omissions.append(ImportedHeader.Omission(kind: .macro, name: macro.name, reason: reason))
            }
        }
        self.constants = constants
        self.omissions = omissions
    }

    /// Returns the values of constants as they are written in C.
    private static func texts(in declarations: CDeclarations) -> [String: String] {
        var texts: [String: String] = [:]
        for constant in declarations.constants { texts[constant.name] = text(constant.value) }
        for value in declarations.namedValues { texts[value.name] = value.value.text }
        return texts
    }

    /// Returns a whole number as it is written in C.
    static func text(_ value: Int128) -> String {
        // C has no negative literals, and the number after this minus sign would be too large.
        if value == Int128(Int64.min) { return "(-\(Int64.max) - 1)" }
        return "\(value)\(value > Int128(Int64.max) ? "u" : "")"
    }
}

extension CNamedValue.Value {
    /// The value in C.
    fileprivate var text: String {
        switch self {
        case .number(let number): "\(number)"
        case .text(let text):
            "\"" + text.unicodeScalars.map(CNamedValue.Value.escaped).joined() + "\""
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": "\\\(scalar)"
        case "\n": "\\n"
        case "\t": "\\t"
        // Three digits, since a digit may follow.
        case _ where scalar.value < 0x20 || scalar.value == 0x7F:
            "\\" + String(repeating: "0", count: 3 - String(scalar.value, radix: 8).count)
                + String(scalar.value, radix: 8)
        default: String(scalar)
        }
    }
}
