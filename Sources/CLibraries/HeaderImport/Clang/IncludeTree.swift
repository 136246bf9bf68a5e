import SystemSupport

/// Determines which files belong to the requested headers.
struct IncludeTree {
    /// For each included file, the file that includes it first.
    private var includers: [ExactText: String] = [:]
    private let named: Set<ExactText>
    /// The path suffixes of the requested headers, such as "/zlib.h", for headers that `#include <…>` found.
    private let ends: [String]
    /// Whether the headers of their own folder that the requested ones include belong to them, as in hb.h, which declares
    /// nothing itself.
    var includesFolder = false

    /// Reads the tree of includes from the output of the preprocessor.
    ///
    /// - Parameters:
    ///   - output: The output of `clang -E`, in which lines such as `# 1 "file" 1` and `# 9 "file" 2` enter and leave
    ///     files.
    ///   - headers: The headers as requested.
    ///   - paths: The absolute paths of the headers that were passed as files.
    init(_ output: [UInt8], headers: [String], paths: [String]) {
        named = Set(paths.map { ExactText($0) })
        ends = headers.map { "/" + $0.exactParts(between: "/").filter { $0 != "." }.joined(separator: "/") }
        var current = ""
        for line in output.split(separator: UInt8(ascii: "\n")) where line.first == UInt8(ascii: "#") {
            guard let marker = LineMarker(line) else { continue }
            if marker.isEntered, includers[ExactText(marker.file)] == nil {
                includers[ExactText(marker.file)] = current
            }
            current = marker.file
        }
    }

    /// Returns whether a file is a requested header, or an internal part of one: a glibc file in `bits`, such as the
    /// one that declares the functions of math.h, or a file in a folder named after the header; with ``includesFolder``
    /// also one in the header's own folder, unless that is one for all libraries.
    func contains(_ file: String) -> Bool {
        var file = file
        var parts: [String] = []
        while !isNamed(file) {
            parts.append(file)
            // The compiler limits the depth of includes, so no valid chain is longer.
            guard let includer = includers[ExactText(file)], parts.count < 256 else { return false }
            file = includer
        }
        let header = file.exactParts(between: "/").last ?? file
        let stem = header.hasExactSuffix(".h") ? String(header.dropLast(2)) : header
        let folder = String(decoding: file.utf8.dropLast(header.utf8.count), as: UTF8.self)
        let isPart = includesFolder && !["", "/usr/include/", "/usr/local/include/"].contains(folder)
        return parts.allSatisfy {
            $0.contains("/bits/") || $0.contains("/\(stem)/") || isPart && $0.hasExactPrefix(folder)
        }
    }

    private func isNamed(_ file: String) -> Bool {
        named.contains(ExactText(file)) || ends.contains { file.hasExactSuffix($0) }
    }
}

/// A line such as `# 12 "file" 1` in the preprocessor's output.
struct LineMarker {
    let file: String
    /// Whether the line marks the start of an included file.
    let isEntered: Bool

    init?(_ line: ArraySlice<UInt8>) {
        guard line.starts(with: "# ".utf8), let first = line.firstIndex(of: UInt8(ascii: "\"")),
            let last = line.lastIndex(of: UInt8(ascii: "\"")), first < last
        else { return nil }
        file = String(decoding: line[(first + 1)..<last], as: UTF8.self)
        isEntered = line[(last + 1)...].split(separator: UInt8(ascii: " ")).contains { $0.elementsEqual("1".utf8) }
    }
}
