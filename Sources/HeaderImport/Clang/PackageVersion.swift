/// The version of a library as its development package says it.
package enum PackageVersion {
    /// Asks pkg-config.
    ///
    /// - Parameter names: those that the package may have, the likeliest first.
    /// - Returns: three numbers as "1.2.13"; nil when no package of these names is known.
    package static func find(_ names: [String]) -> String? {
        guard let program = ProgramSearch.program("pkg-config") ?? ProgramSearch.program("pkgconf") else { return nil }
        for name in names {
            guard let run = try? ProgramOutput.of(program, ["--modversion", "--", name], input: ""), run.status == 0
            else { continue }
            let text = String(decoding: run.standardOutput, as: UTF8.self)
            var numbers = text.split(whereSeparator: \.isWhitespace).first.map { $0.split(separator: ".") } ?? []
            numbers = Array(numbers.prefix(3)).map { $0.prefix { $0.isNumber && $0.isASCII } }
            guard !numbers.isEmpty, numbers.allSatisfy({ UInt64($0) != nil }) else { continue }
            // Without leading zeros, and always three.
            let parts = numbers.compactMap { UInt64($0) }.map(String.init) + ["0", "0"]
            return parts.prefix(3).joined(separator: ".")
        }
        return nil
    }
}
