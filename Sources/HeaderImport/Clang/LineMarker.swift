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
