import Glibc
import SystemSupport

extension ElfFile {
    /// Checks that the file is a shared object for this machine.
    static func checkIdentity(_ head: UnsafeRawBufferPointer, size: UInt64) throws(ComponentFileError) {
        guard unsafe head.prefix(4).elementsEqual([0x7F, 0x45, 0x4C, 0x46]) else {
            throw ComponentFileError(code: .notElf, message: unsafe notElfMessage(head))
        }
        guard head.count >= 64 else { throw .truncated(expected: 64, size: size) }
        guard unsafe head[4] == 2 else {
            let found = unsafe head[4] == 1 ? "32-bit" : "of class \(head[4])"
            throw ComponentFileError(
                code: .wrongFormat, message: "the ELF file is \(found); build it for 64-bit \(ElfMachine.current)")
        }
        guard unsafe head[5] == 1 else {
            let found = unsafe head[5] == 2 ? "big-endian" : "of byte order \(head[5])"
            throw ComponentFileError(
                code: .wrongFormat, message: "the ELF file is \(found); build it for \(ElfMachine.current)")
        }
        let machine = unsafe ElfMachine(rawValue: head.integer(at: 18) ?? 0)
        guard machine == .current else {
            throw ComponentFileError(
                code: .wrongMachine,
                message: "the ELF file is for \(machine), but this host runs on \(ElfMachine.current);"
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
    static func endOfSections(_ head: UnsafeRawBufferPointer) throws(ComponentFileError) -> UInt64 {
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

extension ComponentFileError {
    static func truncated(expected: UInt64, size: UInt64) -> ComponentFileError {
        ComponentFileError(
            code: .truncated,
            message:
                "the file is truncated: its headers need at least \(expected) bytes, but it has \(size); copy it again")
    }

    static func malformed(_ what: String) -> ComponentFileError {
        ComponentFileError(code: .malformed, message: "the ELF file is broken: \(what); rebuild it")
    }

    static func notASharedObject(_ what: String) -> ComponentFileError {
        ComponentFileError(
            code: .notASharedObject, message: "\(what), not a shared object; link it with -shared")
    }
}
