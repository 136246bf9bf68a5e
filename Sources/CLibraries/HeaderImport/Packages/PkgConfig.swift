import ProgramRunning

/// Runs pkg-config, which knows the headers and libraries of development packages.
struct PkgConfig {
    private let program: String

    /// Finds the program; nil if PATH has none.
    static func find() -> PkgConfig? {
        (ProgramSearch.program("pkg-config") ?? ProgramSearch.program("pkgconf")).map { PkgConfig(program: $0) }
    }

    /// Asks about a package, or about all packages.
    ///
    /// - Returns: The output, and what the program said on standard error if it failed.
    func run(_ options: [String], _ package: String? = nil) throws(ImportError) -> Result<String, ImportError> {
        let run: ProgramOutput
        do throws(ProgramError) {
            run = try ProgramOutput.of(program, options + (package.map { ["--", $0] } ?? []), input: "")
        } catch {
            throw ImportError(error.message)
        }
        guard run.status == 0 else { return .failure(ImportError(run.standardError)) }
        return .success(String(decoding: run.standardOutput, as: UTF8.self))
    }

    /// Splits output into words. pkg-config escapes characters that a shell would interpret.
    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in text {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return words
    }
}

/// Finds the version of a library in its development package.
package enum PackageVersion {
    /// Queries pkg-config for the version.
    ///
    /// - Parameter names: The possible names of the package, most likely first.
    /// - Returns: A version with three numbers, such as "1.2.13", or nil if pkg-config knows none of the names.
    package static func find(_ names: [String]) -> String? {
        guard let pkgConfig = PkgConfig.find() else { return nil }
        for name in names {
            guard case .success(let text)? = try? pkgConfig.run(["--modversion"], name) else { continue }
            if let version = threeNumbers(text) { return version }
        }
        return nil
    }

    /// Returns a version with three numbers without leading zeros, such as "2.5.0" for "2.05"; nil for other texts.
    static func threeNumbers(_ text: String) -> String? {
        var numbers = text.split(whereSeparator: \.isWhitespace).first.map { $0.split(separator: ".") } ?? []
        numbers = Array(numbers.prefix(3)).map { $0.prefix { $0.isNumber && $0.isASCII } }
        guard !numbers.isEmpty, numbers.allSatisfy({ UInt64($0) != nil }) else { return nil }
        let parts = numbers.compactMap { UInt64($0) }.map(String.init) + ["0", "0"]
        return parts.prefix(3).joined(separator: ".")
    }
}
