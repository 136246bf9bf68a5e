import Glibc
import SystemSupport

extension DevelopmentPackage {
    /// The number of headers in an error's list.
    private static let listedHeaders = 12

    /// Finds the header to read when none is named: the one with the name of the package or its library, or the only
    /// one in the package's own directories.
    ///
    /// - Returns: The path of the header.
    /// - Throws: `ImportError` if it is not clear which header to read; the message lists the headers.
    package func header() throws(ImportError) -> String {
        if let path = try headerByName() { return path }
        let own = ownDirectories.filter { !["/usr/include", "/usr/local/include"].contains($0) }
        let found = own.flatMap { directory in
            HeaderListing.headers(in: directory).map { (directory: directory, name: $0) }
        }
        if found.count == 1 { return "\(found[0].directory)/\(found[0].name)" }
        guard let first = found.first else {
            throw ImportError(
                "no header of \(name) was found (there is no \(stems.map { "\($0).h" }.joined(separator: ", "))); name it "
                    + "before --package, as in 'hslink import HEADER.h --package \(name.quotedForShell)'")
        }
        let rest = found.count - DevelopmentPackage.listedHeaders
        let list =
            found.prefix(DevelopmentPackage.listedHeaders).map { "  \($0.name)" }
            + (rest > 0 ? ["  and \(rest) more in \(Set(own).sorted().joined(separator: ", "))"] : [])
        throw ImportError(
            "it is not clear which headers of \(name) to read; name them before --package, as in 'hslink import "
                + "\(first.name.quotedForShell) --package \(name.quotedForShell)':\n\(list.joined(separator: "\n"))")
    }

    /// Returns the path of the header with the name of the package or its library; nil if there is none.
    private func headerByName() throws(ImportError) -> String? {
        let clang = try Clang(headers: [], options: options)
        let names = stems.flatMap { ["\($0).h", "\($0)/\($0).h"] }
        // An #include of a header that is not there would be an error, so ask first.
        let questions = names.enumerated().map { "#if __has_include(<\($1)>)\nhslink_header_\($0)\n#endif\n" }
        let answer = try clang.run(["-E"], after: questions.joined())
        let lines = Set(String(decoding: answer.standardOutput, as: UTF8.self).split(separator: "\n"))
        guard let index = names.indices.first(where: { lines.contains("hslink_header_\($0)") }) else { return nil }
        let name = names[index]
        let text = try clang.run(["-E"], after: "#include <\(name)>\n").standardOutput
        return text.split(separator: UInt8(ascii: "\n")).lazy.compactMap(LineMarker.init)
            .first { $0.isEntered && $0.file.hasExactSuffix("/\(name)") }?.file
    }

    /// The names, without ".h", that the package's main header usually has, most likely first.
    private var stems: [String] {
        var stems: [String] = []
        for name in [name, plainName] + libraries.prefix(1) {
            for stem in [name, name.hasPrefix("lib") ? String(name.dropFirst(3)) : name]
            where !stem.isEmpty && !stems.contains(stem) {
                stems.append(stem)
            }
        }
        return stems
    }
}

/// Lists headers.
private enum HeaderListing {
    /// Far more than a package has whose only header is meant.
    private static let maximumHeaders = 4096
    private static let maximumDepth = 8

    /// Returns the paths of the headers in a directory and its subdirectories, relative to it, in order.
    static func headers(in directory: String) -> [String] {
        var found: [String] = []
        collect(directory, prefix: "", depth: 0, into: &found)
        return found.sortedExactly()
    }

    private static func collect(_ directory: String, prefix: String, depth: Int, into found: inout [String]) {
        guard depth < maximumDepth, let entries = try? DirectoryEntries(directory) else { return }
        while found.count < maximumHeaders, let entry = entries.next() {
            let name = entry.name
            guard entry.isText, !name.hasExactPrefix(".") else { continue }
            if name.hasExactSuffix(".h") {
                found.append(prefix + name)
            } else {
                // Opening fails for what is not a directory.
                collect("\(directory)/\(name)", prefix: "\(prefix)\(name)/", depth: depth + 1, into: &found)
            }
        }
    }
}
