/// Which files belong to the headers that were named.
struct IncludeTree {
    /// The file that includes another one first.
    private var includers: [String: String] = [:]
    private let named: Set<String>
    /// "/zlib.h": ends of the paths of what `#include <…>` found.
    private let ends: [String]

    /// - Parameters:
    ///   - output: of `clang -E`, whose lines `# 1 "file" 1` and `# 9 "file" 2` enter and leave files.
    ///   - headers: as they were named.
    ///   - paths: those that are files themselves.
    init(_ output: [UInt8], headers: [String], paths: [String]) {
        named = Set(paths)
        ends = headers.map { "/" + $0.split(separator: "/").filter { $0 != "." }.joined(separator: "/") }
        var current = ""
        for line in output.split(separator: UInt8(ascii: "\n")) where line.first == UInt8(ascii: "#") {
            guard let marker = LineMarker(line) else { continue }
            if marker.isEntered, includers[marker.file] == nil { includers[marker.file] = current }
            current = marker.file
        }
    }

    /// Whether a file is one of the headers, or a part of one that is not included by itself: one of glibc's in
    /// `bits`, as that of math.h with the functions, or one in a folder named like the header.
    func contains(_ file: String) -> Bool {
        var file = file
        var parts: [String] = []
        while !isNamed(file) {
            parts.append(file)
            // A chain of files cannot be longer than the compiler allows.
            guard let includer = includers[file], parts.count < 256 else { return false }
            file = includer
        }
        let header = file.split(separator: "/").last.map(String.init) ?? file
        let stem = header.hasSuffix(".h") ? String(header.dropLast(2)) : header
        return parts.allSatisfy { $0.contains("/bits/") || $0.contains("/\(stem)/") }
    }

    private func isNamed(_ file: String) -> Bool {
        named.contains(file) || ends.contains { file.hasSuffix($0) }
    }
}

/// A line `# 12 "file" 1` of a preprocessor's output.
struct LineMarker {
    let file: String
    /// Whether the file begins here: another one includes it.
    let isEntered: Bool

    init?(_ line: ArraySlice<UInt8>) {
        guard line.starts(with: "# ".utf8), let first = line.firstIndex(of: UInt8(ascii: "\"")),
            let last = line.lastIndex(of: UInt8(ascii: "\"")), first < last
        else { return nil }
        file = String(decoding: line[(first + 1)..<last], as: UTF8.self)
        isEntered = line[(last + 1)...].split(separator: UInt8(ascii: " ")).contains { $0.elementsEqual("1".utf8) }
    }
}
