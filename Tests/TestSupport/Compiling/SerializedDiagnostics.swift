import Foundation

/// The contents of a file of serialized diagnostics (clang's format, which Swift writes too).
struct SerializedDiagnostics {
    /// A position in a source file.
    struct Place {
        var file = ""
        var line = 0
        /// The offset in bytes from the beginning of the file.
        var offset = 0
    }

    struct Message {
        /// 1 note, 2 warning, 3 error, 4 fatal error, 5 remark.
        var severity = 0
        var place = Place()
        var text = ""
        var fixIts: [(start: Place, end: Place, text: String)] = []
        var notes: [Message] = []
    }

    private(set) var messages: [Message] = []
    private var files: [Int: String] = [:]

    /// - Throws: An error if the file cannot be read, or has another format.
    init(path: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let blocks = try BitstreamReader.blocks(of: bytes, magic: "DIAG").filter { $0.identifier == 9 }
        for block in blocks { collectFiles(block) }
        messages = blocks.map(message)
    }

    /// A file is named once, in the first block that mentions it.
    private mutating func collectFiles(_ block: BitstreamBlock) {
        for record in block.records where record.code == 6 {
            guard let number = record.fields.first else { continue }
            files[number] = String(decoding: record.blob, as: UTF8.self)
        }
        for inner in block.blocks { collectFiles(inner) }
    }

    private func message(_ block: BitstreamBlock) -> Message {
        var message = Message()
        for record in block.records {
            let text = String(decoding: record.blob, as: UTF8.self)
            switch record.code {
            case 2 where record.fields.count >= 5:
                message.severity = record.fields[0]
                message.place = place(record.fields[1...])
                message.text = text
            case 7 where record.fields.count >= 8:
                message.fixIts.append((place(record.fields[0...]), place(record.fields[4...]), text))
            default: break
            }
        }
        message.notes = block.blocks.filter { $0.identifier == 9 }.map(self.message)
        return message
    }

    private func place(_ fields: ArraySlice<Int>) -> Place {
        let start = fields.startIndex
        return Place(file: files[fields[start]] ?? "", line: fields[start + 1], offset: fields[start + 3])
    }
}
