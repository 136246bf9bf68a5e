/// A macro as the preprocessor prints it.
struct MacroDefinition {
    let name: String
    let hasParameters: Bool
    /// What it expands to, without parameters.
    let body: String
    /// Whether one of the requested headers defines it.
    let isNamed: Bool

    /// The `#define`.
    let text: String

    /// Reads the macros in the order of their definitions.
    ///
    /// - Parameters:
    ///   - output: The output of `clang -E -dD`.
    ///   - isNamed: Returns whether a file belongs to the requested headers.
    static func all(in output: [UInt8], isNamed: (String) -> Bool) -> [MacroDefinition] {
        var found: [MacroDefinition] = []
        var isInside = false
        var file = ""
        for line in output.split(separator: UInt8(ascii: "\n")) where line.first == UInt8(ascii: "#") {
            if let marker = LineMarker(line) {
                if marker.file != file { isInside = isNamed(marker.file) }
                file = marker.file
            } else if line.starts(with: "#define ".utf8) {
                let text = String(decoding: line, as: UTF8.self)
                let name = text.dropFirst(8).prefix { $0 != " " && $0 != "(" }
                let rest = text.dropFirst(8 + name.count)
                found.append(
                    MacroDefinition(
                        name: String(name), hasParameters: rest.first == "(", body: String(rest.dropFirst()),
                        isNamed: isInside, text: text))
            }
        }
        return found
    }
}
