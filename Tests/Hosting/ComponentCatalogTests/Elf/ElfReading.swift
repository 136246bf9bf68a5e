import Foundation
import TestSupport

@testable import ComponentCatalog

/// The contents of an ELF file, read through every function of the reader.
struct ElfContents: Equatable {
    struct Note: Equatable {
        let type: UInt32
        let text: String
    }

    var notes: [Note] = []
    var dynamic = ElfDynamic()
    var symbols: [String] = []

    init() {}

    /// Reads a file like the catalogue.
    init(path: String) throws {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(descriptor) }
        var status = stat()
        unsafe fstat(descriptor, &status)
        try self.init(descriptor: descriptor, size: Int64(status.st_size))
    }

    init(descriptor: Int32, size: Int64) throws {
        let file = try ElfFile(descriptor: descriptor, size: size)
        try unsafe file.forEachNote { note in
            unsafe notes.append(Note(type: note.type, text: String(decoding: note.text, as: UTF8.self)))
        }
        dynamic = try file.dynamic()
        symbols = try file.exportedSymbols(dynamic)
    }

    /// The contents of a file with these bytes.
    init(_ bytes: [UInt8]) throws {
        let directory = try TemporaryDirectory()
        try self.init(path: directory.write(bytes, to: "file.so"))
    }
}

/// Returns the error that `body` throws, or nil.
func refusal(_ body: () throws -> Void) throws -> ComponentFileError? {
    do {
        try body()
        return nil
    } catch let error as ComponentFileError {
        return error
    }
}
