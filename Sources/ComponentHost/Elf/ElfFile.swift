import Glibc

/// A shared object that is looked at without being mapped or run: headers, notes, dynamic section.
///
/// The file may be anything at all: every offset and size in it is checked, and what is read has limits.
/// Reading goes through the descriptor by `pread`; the file's position does not move.
///
/// Own code instead of libelf: a few tables are read, of files that anybody may have written.
///
/// Formats: System V ABI (gABI) chapters 4 and 5, "ELF Header", "Program Header", "Note Section".
package struct ElfFile {
    /// The memory that files are read into; one after the other may use the same. One thread at a time.
    package final class Buffers {
        /// The beginning of the file: headers, and mostly the notes too.
        var head = FileBuffer(capacity: ElfFile.headSize)
        /// One further piece of the file.
        var piece = FileBuffer(capacity: 4096)

        package init() {}
    }

    /// The first read, in bytes; what it holds costs no other.
    static let headSize = 8192
    /// A sound shared object has about ten program headers.
    private static let maximumSegments = 1024

    let descriptor: Int32
    let size: UInt64
    let buffers: Buffers
    /// What to load, notes and the dynamic section, in the order of the file.
    let segments: [ElfSegment]

    /// Reads and checks the headers.
    ///
    /// - Parameters:
    ///   - descriptor: open for reading; stays the caller's, and open as long as this value is used.
    ///   - size: of the file, in bytes, as `fstat` tells it.
    ///   - buffers: overwritten; not to be used for another file as long as this value is used.
    /// - Throws: `notElf`, `truncated`, `wrongFormat`, `wrongMachine`, `notASharedObject`, `malformed`, or
    ///   `notReadable` when the system fails to read.
    package init(descriptor: Int32, size: Int64, buffers: Buffers = Buffers()) throws(ComponentFileError) {
        self.descriptor = descriptor
        self.size = UInt64(max(size, 0))
        self.buffers = buffers
        try buffers.head.fill(ElfFile.headSize, at: 0, from: descriptor)
        let head = unsafe buffers.head.bytes
        unsafe try ElfFile.checkIdentity(head, size: self.size)

        guard let tableOffset = unsafe head.integer(UInt64.self, at: 32),
            let headerSize = unsafe head.integer(UInt16.self, at: 54),
            let count = unsafe head.integer(UInt16.self, at: 56).map(Int.init)
        else { throw .truncated(expected: 64, size: self.size) }
        guard count > 0, count <= ElfFile.maximumSegments, Int(headerSize) == ElfSegment.size else {
            throw .malformed(
                "1 to \(ElfFile.maximumSegments) program headers of \(ElfSegment.size) bytes were expected,"
                    + " the file claims \(count) of \(headerSize)")
        }
        let tableSize = count * ElfSegment.size
        let tableEnd = tableOffset.addingReportingOverflow(UInt64(tableSize))
        if tableEnd.overflow { throw .malformed("the program headers lie at offset \(tableOffset)") }
        if tableEnd.partialValue > self.size { throw .truncated(expected: tableEnd.partialValue, size: self.size) }

        var segments: [ElfSegment] = []
        var end = unsafe try ElfFile.endOfSections(head)
        let table = unsafe try ElfFile.bytes(tableOffset, tableSize, descriptor: descriptor, buffers: buffers)
        for index in 0..<count {
            guard let segment = unsafe ElfSegment(table, at: index * ElfSegment.size) else {
                throw .malformed("program header \(index) ends beyond 2^64")
            }
            end = max(end, segment.end)
            switch Int32(bitPattern: segment.type) {
            case PT_LOAD, PT_NOTE, PT_DYNAMIC: segments.append(segment)
            default: break
            }
        }
        if end > self.size { throw .truncated(expected: end, size: self.size) }
        self.segments = segments
    }

    /// Exactly `count` bytes from `offset`, from the first read where they lie in it. Valid until the
    /// next call.
    func bytes(_ offset: UInt64, _ count: Int) throws(ComponentFileError) -> UnsafeRawBufferPointer {
        unsafe try ElfFile.bytes(offset, count, descriptor: descriptor, buffers: buffers)
    }

    private static func bytes(
        _ offset: UInt64, _ count: Int, descriptor: Int32, buffers: Buffers
    ) throws(ComponentFileError) -> UnsafeRawBufferPointer {
        let head = unsafe buffers.head.bytes
        if let start = Int(exactly: offset), start <= head.count, count <= head.count - start {
            return unsafe UnsafeRawBufferPointer(rebasing: head[start..<start + count])
        }
        try buffers.piece.fill(count, at: offset, from: descriptor)
        let piece = unsafe buffers.piece.bytes
        guard piece.count == count else {
            // It was long enough when its size was asked for.
            throw .truncated(expected: offset &+ UInt64(count), size: offset &+ UInt64(piece.count))
        }
        return unsafe piece
    }
}

/// A program header: which bytes of the file serve which purpose, and where they lie in memory.
struct ElfSegment {
    /// Bytes of one program header in the file.
    static let size = 56

    let type: UInt32
    let offset: UInt64
    let address: UInt64
    let fileSize: UInt64
    let end: UInt64

    /// - Returns: nil when `bytes` has no whole header at `position`, or its end overflows.
    init?(_ bytes: UnsafeRawBufferPointer, at position: Int) {
        guard let type = unsafe bytes.integer(UInt32.self, at: position),
            let offset = unsafe bytes.integer(UInt64.self, at: position + 8),
            let address = unsafe bytes.integer(UInt64.self, at: position + 16),
            let fileSize = unsafe bytes.integer(UInt64.self, at: position + 32)
        else { return nil }
        let (end, overflow) = offset.addingReportingOverflow(fileSize)
        if overflow { return nil }
        self.type = type
        self.offset = offset
        self.address = address
        self.fileSize = fileSize
        self.end = end
    }

    /// Which part of the file is in memory at `address`: from there to the end of the segment.
    func fileRange(of address: UInt64) -> Range<UInt64>? {
        guard address >= self.address, address - self.address < fileSize else { return nil }
        return offset + (address - self.address)..<end
    }
}

/// The kind of processor that an ELF file is for (`e_machine`).
struct ElfMachine: Equatable, CustomStringConvertible {
    let rawValue: UInt16

    /// The one that this process runs on.
    static var current: ElfMachine {
        #if arch(x86_64)
            ElfMachine(rawValue: 62)
        #elseif arch(arm64)
            ElfMachine(rawValue: 183)
        #else
            #error("HSLink runs on x86-64 and aarch64")
        #endif
    }

    /// The usual name of the machine, or its number.
    var description: String {
        switch rawValue {
        case 3: "i386"
        case 8: "MIPS"
        case 20: "PowerPC"
        case 21: "PowerPC64"
        case 22: "S/390"
        case 40: "ARM"
        case 62: "x86-64"
        case 183: "aarch64"
        case 243: "RISC-V"
        case 258: "LoongArch"
        default: "machine \(rawValue)"
        }
    }
}
