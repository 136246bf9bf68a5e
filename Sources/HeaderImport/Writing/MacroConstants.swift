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

    /// Reads and evaluates the macros.
    ///
    /// - Parameters:
    ///   - output: The output of `clang -E -dD`.
    ///   - types: The declarations that macros may use, such as enums.
    ///   - isNamed: Returns whether a file belongs to the requested headers.
    init(_ output: [UInt8], types: [CSource], isNamed: (String) -> Bool) {
        var all = ""
        var names: [(name: String, hasParameters: Bool)] = []
        var isInside = false
        var file = ""
        for line in output.split(separator: UInt8(ascii: "\n")) {
            guard line.first == UInt8(ascii: "#") else { continue }
            if let marker = LineMarker(line) {
                if marker.file != file { isInside = isNamed(marker.file) }
                file = marker.file
            } else if line.starts(with: "#define ".utf8) {
                let text = String(decoding: line, as: UTF8.self)
                let name = text.dropFirst(8).prefix { $0 != " " && $0 != "(" }
                let hasParameters = text.dropFirst(8 + name.count).first == "("
                guard hasParameters || name.count + 9 < text.count else { continue }
                if !hasParameters { all += text + "\n" }
                if isInside { names.append((String(name), hasParameters)) }
            }
        }
        // Parse the text twice because a macro may use others that are defined later.
        let macros = CSource(name: "macros", text: all)
        let found = CDeclarations(parsing: types + [macros, macros])
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
        for (name, hasParameters) in names where seen.insert(name).inserted {
            if !hasParameters, let text = texts[name] {
                constants.append(Constant(name: name, text: "#define \(name) \(text)"))
            } else {
                let reason =
                    hasParameters
                    ? "macro with parameters: expanded by compilers, not in the library"
                    : "macro: it expands to neither a number nor a text"
                omissions.append(ImportedHeader.Omission(kind: .macro, name: name, reason: reason))
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
