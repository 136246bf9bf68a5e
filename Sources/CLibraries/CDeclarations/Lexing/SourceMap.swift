/// Maps byte offsets in a text to lines and columns.
struct SourceMap {
    /// A line marker `# line "file"`, which gives the line that begins at `start` another number and file name.
    struct Marker {
        let start: Int
        let line: Int
        let file: String
    }

    let name: String
    let bytes: [UInt8]
    /// The offsets at which lines begin; the first is 0.
    var lineStarts: [Int] = [0]
    var markers: [Marker] = []

    /// The maximum number of characters from a line in an excerpt.
    private static let width = 100
    /// The number of bytes after which columns are counted in bytes, because counting characters in very long lines is
    /// slow.
    private static let countedColumns = 1000

    /// Returns the position of a byte offset.
    func place(of offset: Int) -> CPlace {
        let index = line(of: offset)
        let start = lineStarts[index]
        let column = offset - start > SourceMap.countedColumns ? offset - start : characters(start..<offset)
        let number = SourceMap.last(of: markers.count) { markers[$0].start <= offset }
        guard number < markers.count, markers[number].start <= offset else {
            return CPlace(source: name, line: index + 1, column: column + 1)
        }
        let marker = markers[number]
        return CPlace(
            source: marker.file, line: marker.line + index - line(of: marker.start), column: column + 1)
    }

    /// Returns a diagnostic for an error at a byte offset.
    func diagnostic(_ message: String, at offset: Int) -> CDiagnostic {
        let offset = min(offset, bytes.count)
        let index = line(of: offset)
        let lineEnd = index + 1 < lineStarts.count ? lineStarts[index + 1] - 1 : bytes.count
        // Show the part of the line that contains the offset.
        var start = lineStarts[index]
        var cut = ""
        if offset - start > SourceMap.width * 3 / 4 {
            start = offset - SourceMap.width / 2
            while start < offset, bytes[start] & 0xC0 == 0x80 { start += 1 }
            cut = "…"
        }
        let before = SourceMap.printable(bytes[start..<max(start, min(offset, lineEnd))])
        let after = SourceMap.printable(
            bytes[min(offset, lineEnd)..<min(lineEnd, min(offset, lineEnd) + SourceMap.width)])
        let room = max(0, SourceMap.width - before.count)
        let excerpt = cut + before + (after.count > room ? after.prefix(room) + "…" : after)
        return CDiagnostic(
            place: place(of: offset), message: message, excerpt: excerpt, caretOffset: cut.count + before.count)
    }

    /// Returns the index of the line that contains an offset.
    private func line(of offset: Int) -> Int {
        SourceMap.last(of: lineStarts.count) { lineStarts[$0] <= offset }
    }

    /// Returns the last index below `count` that satisfies a condition, by binary search; 0 if none does. If an index
    /// satisfies the condition, all smaller ones must too.
    private static func last(of count: Int, where holds: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while high - low > 1 {
            let middle = (low + high) / 2
            if holds(middle) { low = middle } else { high = middle }
        }
        return low
    }

    private func characters(_ range: Range<Int>) -> Int {
        bytes[range].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
    }

    /// Returns the text with exactly one column per character: control characters and combining marks are replaced.
    private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
        if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return String(decoding: bytes, as: UTF8.self) }
        var text = ""
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where scalar == "\t": text += " "
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned,
                .nonspacingMark, .enclosingMark, .spacingMark:
                text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
