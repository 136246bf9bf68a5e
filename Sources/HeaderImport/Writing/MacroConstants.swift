import CDeclarations

/// The macros of the headers that expand to integers.
struct MacroConstants {
    /// The constants, in order.
    let constants: [CConstant]

    /// Reads and evaluates the macros.
    ///
    /// - Parameters:
    ///   - output: The output of `clang -E -dD`.
    ///   - isNamed: Returns whether a file belongs to the requested headers.
    init(_ output: [UInt8], isNamed: (String) -> Bool) {
        var all = ""
        var names: [String] = []
        var isInside = false
        var file = ""
        for line in output.split(separator: UInt8(ascii: "\n")) {
            guard line.first == UInt8(ascii: "#") else { continue }
            if let marker = LineMarker(line) {
                if marker.file != file { isInside = isNamed(marker.file) }
                file = marker.file
            } else if line.starts(with: "#define ".utf8) {
                let text = String(decoding: line, as: UTF8.self)
                let name = text.dropFirst(8).prefix { $0 != " " }
                guard !name.contains("("), name.count + 9 < text.count else { continue }
                all += text + "\n"
                if isInside { names.append(String(name)) }
            }
        }
        // Parse the text twice because a macro may use others that are defined later.
        let found = CDeclarations(parsing: [CSource(name: "macros", text: all), CSource(name: "macros", text: all)])
        let values = Dictionary(found.constants.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var seen: Set<String> = []
        constants = names.compactMap { name in seen.insert(name).inserted ? values[name] : nil }
    }
}
