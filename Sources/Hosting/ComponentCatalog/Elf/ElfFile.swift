import Glibc
import SystemSupport

/// A shared object whose headers, notes and dynamic section are read without mapping or running it.
///
/// The file may contain anything, so every offset and size is checked, and the amount that is read is limited. Reading
/// uses `pread` on the descriptor and does not move the file's position.
///
/// libelf is not used, because only a few tables are read, and the files may be hostile.
///
/// Formats: System V ABI (gABI) chapters 4 and 5, "ELF Header", "Program Header", "Note Section".
package struct ElfFile {
    /// The buffers that files are read into. Several files may use the same buffers, one after another, from one thread
    /// at a time.
    package final class Buffers {
        /// The beginning of the file: the headers, and usually the notes as well.
        var head = FileBuffer(capacity: ElfFile.headSize)
        /// Another piece of the file.
        var piece = FileBuffer(capacity: 4096)

        package init() {}
    }

    /// The size of the first read, in bytes. Everything inside it needs no second read.
    private static let headSize = 8192
    /// A valid shared object has about ten program headers.
    private static let maximumSegments = 1024

    let descriptor: Int32
    let size: UInt64
    let buffers: Buffers
    /// The load, note and dynamic segments, in file order.
    let segments: [ElfSegment]

    /// Reads and checks the headers.
    ///
    /// - Parameters:
    ///   - descriptor: A descriptor open for reading. The caller keeps it, and must keep it open while this value is in
    ///     use.
    ///   - size: The size of the file in bytes, as reported by `fstat`.
    ///   - buffers: Buffers to overwrite. They must not be used for another file while this value is in use.
    /// - Throws: `notElf`, `truncated`, `wrongFormat`, `wrongMachine`, `notASharedObject` or `malformed` if the file is
    ///   not a valid shared object for this machine; `notReadable` if reading fails.
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
                "expected 1 to \(ElfFile.maximumSegments) program headers of \(ElfSegment.size) bytes,"
                    + " found \(count) of \(headerSize)")
        }
        let tableSize = count * ElfSegment.size
        let tableEnd = tableOffset.addingReportingOverflow(UInt64(tableSize))
        if tableEnd.overflow { throw .malformed("the program headers at offset \(tableOffset) end beyond 2^64") }
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

    /// Returns exactly `count` bytes from `offset`, without reading again if the first read contains them. The result
    /// is valid until the next call.
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
            // The file was long enough when its size was read.
            throw .truncated(expected: offset &+ UInt64(count), size: offset &+ UInt64(piece.count))
        }
        return unsafe piece
    }

    /// Checks that the file is a shared object for this machine.
    private static func checkIdentity(_ head: UnsafeRawBufferPointer, size: UInt64) throws(ComponentFileError) {
        guard unsafe head.prefix(4).elementsEqual([0x7F, 0x45, 0x4C, 0x46]) else {
            throw ComponentFileError(.notElf, unsafe notElfMessage(head))
        }
        guard head.count >= 64 else { throw .truncated(expected: 64, size: size) }
        guard unsafe head[4] == 2 else {
            let found = unsafe head[4] == 1 ? "32-bit" : "of class \(head[4])"
            throw ComponentFileError(
                .wrongFormat, "the ELF file is \(found); build it for 64-bit \(ElfMachine.current)")
        }
        guard unsafe head[5] == 1 else {
            let found = unsafe head[5] == 2 ? "big-endian" : "of byte order \(head[5])"
            throw ComponentFileError(.wrongFormat, "the ELF file is \(found); build it for \(ElfMachine.current)")
        }
        let machine = unsafe ElfMachine(rawValue: head.integer(at: 18) ?? 0)
        guard machine == .current else {
            throw ComponentFileError(
                .wrongMachine,
                "the ELF file is for \(machine), but this host runs on \(ElfMachine.current);"
                    + " rebuild it for this host")
        }
        let type = unsafe head.integer(UInt16.self, at: 16) ?? 0
        guard type == 3 else {
            let found =
                switch type {
                case 1: "an object file (.o)"
                case 2: "a program"
                case 4: "a core dump"
                default: "of type \(type)"
                }
            throw .notASharedObject("the ELF file is \(found)")
        }
    }

    /// Returns the end of the section headers. Linkers put them last, so they are the first thing that a truncated copy
    /// lacks.
    private static func endOfSections(_ head: UnsafeRawBufferPointer) throws(ComponentFileError) -> UInt64 {
        guard let offset = unsafe head.integer(UInt64.self, at: 40), offset > 0,
            let entrySize = unsafe head.integer(UInt16.self, at: 58),
            let count = unsafe head.integer(UInt16.self, at: 60)
        else { return 0 }
        let end = offset.addingReportingOverflow(UInt64(entrySize) * UInt64(count))
        if end.overflow { throw .malformed("the section headers at offset \(offset) end beyond 2^64") }
        return end.partialValue
    }

    private static func notElfMessage(_ head: UnsafeRawBufferPointer) -> String {
        if unsafe head.isEmpty { return "the file is empty" }
        if unsafe head.starts(with: "!<arch>\n".utf8) {
            return "not an ELF file but a static library; link it with -shared"
        }
        let start = unsafe head.prefix(24)
        let isText = unsafe start.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        if isText, let text = unsafe String(validating: start, as: UTF8.self) {
            return "not an ELF file but text, which begins with \(text.quoted())"
        }
        let hex = unsafe start.prefix(4).map(\.hexadecimalDigits)
        return "not an ELF file: it begins with the bytes \(hex.joined(separator: " ")), not with 7f 45 4c 46"
    }
}

/// A program header, which describes a range of the file: its purpose and its address in memory.
struct ElfSegment {
    /// The size of one program header in the file, in bytes.
    static let size = 56

    let type: UInt32
    let offset: UInt64
    let address: UInt64
    let fileSize: UInt64
    let end: UInt64

    /// Reads a program header; nil when `bytes` has no complete header at `position`, or the end of its range
    /// overflows.
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

    /// Returns the part of the file that is mapped at `address`, up to the end of the segment.
    func fileRange(of address: UInt64) -> Range<UInt64>? {
        guard address >= self.address, address - self.address < fileSize else { return nil }
        return offset + (address - self.address)..<end
    }
}

/// The processor architecture of an ELF file (`e_machine`).
struct ElfMachine: Equatable, CustomStringConvertible {
    let rawValue: UInt16

    /// The architecture that this process runs on.
    static var current: ElfMachine {
        #if arch(x86_64)
            ElfMachine(rawValue: 62)
        #elseif arch(arm64)
            ElfMachine(rawValue: 183)
        #else
            #error("HSLink runs on x86-64 and aarch64")
        #endif
    }

    /// The usual name of the architecture, or its number.
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

extension ComponentFileError {
    static func truncated(expected: UInt64, size: UInt64) -> ComponentFileError {
        ComponentFileError(
            .truncated,
            "the file is truncated: its headers need at least \(expected) bytes, but it has \(size); copy it again")
    }

    static func malformed(_ what: String) -> ComponentFileError {
        ComponentFileError(.malformed, "the ELF file is broken: \(what); rebuild it")
    }

    static func notASharedObject(_ what: String) -> ComponentFileError {
        ComponentFileError(.notASharedObject, "\(what), not a shared object; link it with -shared")
    }
}
