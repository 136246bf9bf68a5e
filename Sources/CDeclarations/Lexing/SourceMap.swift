/// Finds lines and columns in a text.
struct SourceMap {
    /// `# line "file"`: what the line that begins at `start` calls itself.
    struct Marker {
        let start: Int
        let line: Int
        let file: String
    }

    let name: String
    let bytes: [UInt8]
    /// Where lines begin; the first at 0.
    var lineStarts: [Int] = [0]
    var markers: [Marker] = []

    /// What an excerpt shows of a line.
    private static let width = 100
    /// Columns further on are counted in bytes, so that a line without end costs no time.
    private static let countedColumns = 1000

    /// Where an offset lies.
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

    /// The diagnostic for something wrong at an offset.
    func diagnostic(_ message: String, at offset: Int) -> CDiagnostic {
        let offset = min(offset, bytes.count)
        let index = line(of: offset)
        let lineEnd = index + 1 < lineStarts.count ? lineStarts[index + 1] - 1 : bytes.count
        // The part of the line that holds the offset.
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

    /// The index of the line that an offset lies in.
    private func line(of offset: Int) -> Int {
        SourceMap.last(of: lineStarts.count) { lineStarts[$0] <= offset }
    }

    /// The last of `count` that a condition holds for, which holds for all before; 0 when it holds for none.
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

    /// One column a character, whatever stood there.
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
