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
    init(_ macros: [MacroDefinition], types: [CSource]) {
        // Macros that expand to nothing only switch something on.
        let macros = macros.filter { $0.hasParameters || !$0.body.isEmpty }
        let all = CSource(name: "macros", text: macros.filter { !$0.hasParameters }.map { "\($0.text)\n" }.joined())
        // Parse the text twice because a macro may use others that are defined later.
        let found = CDeclarations(parsing: types + [all, all])
        var texts: [String: String] = [:]
        for constant in found.constants {
            // C has no negative literals, and the number after this minus sign would be too large.
            texts[constant.name] =
                constant.value == Int128(Int64.min)
                ? "(-\(Int64.max) - 1)" : "\(constant.value)\(constant.value > Int128(Int64.max) ? "u" : "")"
        }
        for value in found.namedValues { texts[value.name] = value.value.text }
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
