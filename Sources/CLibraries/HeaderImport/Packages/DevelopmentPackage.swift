import SystemSupport

/// What pkg-config knows about a package.
package struct DevelopmentPackage: Sendable {
    package let name: String
    /// The version with three numbers; nil if it has none.
    package let version: String?
    /// The options for the preprocessor, such as `-I/usr/include/libxml2` and `-DNAME`.
    package let options: [String]
    /// The names of the libraries as in `-lz`, the package's own first.
    package let libraries: [String]
    /// The directories that the linker searches before its own.
    package let libraryDirectories: [String]
    /// The directories that `-I` names.
    let ownDirectories: [String]

    /// The name without "-2.0", for the name of a component.
    package var plainName: String { DevelopmentPackage.withoutVersion(name) }

    /// Asks pkg-config about a package.
    ///
    /// - Throws: `ImportError` if pkg-config is not installed, knows no such package, or cannot use it.
    package init(_ name: String) throws(ImportError) {
        guard let pkgConfig = PkgConfig.find() else {
            throw ImportError(
                "pkg-config is needed for --package, but it is not in PATH: install the Debian package pkgconf, or "
                    + "name the header and the library")
        }
        guard !name.isEmpty, !name.contains(where: \.isWhitespace) else {
            throw ImportError("expected the name of a package, as in --package zlib, found \(name.quoted())")
        }
        guard case .success(let flags) = try pkgConfig.run(["--cflags"], name),
            case .success(let libraries) = try pkgConfig.run(["--libs"], name)
        else { throw try DevelopmentPackage.failure(name, pkgConfig) }
        self.name = name
        version = try? PackageVersion.threeNumbers(pkgConfig.run(["--modversion"], name).get())
        options = DevelopmentPackage.preprocessorOptions(PkgConfig.words(flags))
        ownDirectories = options.filter { $0.hasPrefix("-I") }.map { String($0.dropFirst(2)) }
        let words = PkgConfig.words(libraries)
        self.libraries = words.filter { $0.hasPrefix("-l") && $0.count > 2 }.map { String($0.dropFirst(2)) }
        libraryDirectories = words.filter { $0.hasPrefix("-L") && $0.count > 2 }.map { String($0.dropFirst(2)) }
    }

    /// Returns the options that matter to declarations. Others, such as those for the code generator, may be unknown to
    /// clang.
    private static func preprocessorOptions(_ words: [String]) -> [String] {
        var options: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "-I", "-D", "-U":
                if let value = rest.popFirst() { options.append(word + value) }
            case "-isystem", "-idirafter", "-iquote", "-include":
                if let value = rest.popFirst() { options += [word, value] }
            case "-pthread": options.append(word)
            default:
                if ["-I", "-D", "-U", "-isystem", "-idirafter", "-iquote"].contains(where: word.hasPrefix) {
                    options.append(word)
                }
            }
        }
        return options
    }

    /// Returns why pkg-config does not answer: it does not know the package, or the package is broken.
    private static func failure(_ name: String, _ pkgConfig: PkgConfig) throws(ImportError) -> ImportError {
        let list = (try? pkgConfig.run(["--list-all"]).get()) ?? ""
        let known = list.split(whereSeparator: \.isNewline).compactMap { line in
            line.split(whereSeparator: \.isWhitespace).first.map(String.init)
        }
        if known.contains(name) {
            guard case .failure(let reason) = try pkgConfig.run(["--print-errors", "--exists"], name) else {
                return ImportError("pkg-config cannot use the package \(name)")
            }
            let lines = reason.message.split(whereSeparator: \.isNewline)
            return ImportError("pkg-config cannot use the package \(name): \(lines.joined(separator: " "))")
        }
        let similar = known.filter { letters($0) == letters(name) }.min { ($0.count, $0) < ($1.count, $1) }
        if let similar {
            return ImportError("pkg-config knows no package '\(name)'; did you mean '\(similar)'?")
        }
        return ImportError(
            "pkg-config knows no package '\(name)': install its development package, or add the directory of "
                + "\(name).pc to the variable PKG_CONFIG_PATH")
    }

    /// The letters that two names of the same library share: "xml" of "libxml-2.0" and of "libxml2".
    private static func letters(_ name: String) -> String {
        let letters = name.lowercased().filter(\.isLetter)
        return letters.hasPrefix("lib") && letters.count > 3 ? String(letters.dropFirst(3)) : letters
    }

    static func withoutVersion(_ name: String) -> String {
        guard let dash = name.lastIndex(of: "-"), dash > name.startIndex else { return name }
        let end = name[name.index(after: dash)...]
        let isVersion = end.first?.isNumber == true && end.allSatisfy { $0.isNumber || $0 == "." }
        return isVersion ? String(name[..<dash]) : name
    }
}
