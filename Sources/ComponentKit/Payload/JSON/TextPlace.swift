/// A place in a text, for messages: "line 3, column 7", both counted from 1, columns in characters.
struct TextPlace: CustomStringConvertible {
    let line: Int
    let column: Int

    init(of position: Int, in source: SourceBytes) {
        var line = 1
        var column = 1
        for index in 0..<min(position, source.count) {
            if source[index] == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if source[index] & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.line = line
        self.column = column
    }

    var description: String { "line \(line), column \(column)" }
}
